package dev.mooring.it.contract;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a case has noted of answers, and texts that name it. */
final class Variables {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern LONG =
      Pattern.compile("\\$\\{(\\w)\\*(\\d+)}"); // that many of a character
  private final Map<String, String> values = new HashMap<>();

  void put(String name, String value) {
    values.put(name, value);
  }

  void remove(String name) {
    values.remove(name);
  }

  /** The text with values instead of their names. */
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
