package dev.mooring.it.contract;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that a case has captured from responses, for use in later texts. */
final class CaseVariables {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern LONG =
      Pattern.compile("\\$\\{(\\w)\\*(\\d+)}"); // repeats a character a given number of times
  private final Map<String, String> values = new HashMap<>();

  void put(String name, String value) {
    values.put(name, value);
  }

  void remove(String name) {
    values.remove(name);
  }

  String filled(String text) {
    String named =
        VARIABLE
            .matcher(text)
            .replaceAll(v ->
                Matcher.quoteReplacement(
                    values.getOrDefault(v.group(1), "no-value-for-" + v.group(1))));
    return LONG.matcher(named).replaceAll(v -> v.group(1).repeat(Integer.parseInt(v.group(2))));
  }
}
