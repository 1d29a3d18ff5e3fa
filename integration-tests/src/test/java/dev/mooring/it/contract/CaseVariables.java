package dev.mooring.it.contract;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that a case has captured from responses, for use in later requests. */
final class CaseVariables {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern REPEATED_CHARACTER =
      Pattern.compile("\\$\\{(\\w)\\*(\\d+)}"); // repeats a character a given number of times
  private final Map<String, String> values = new HashMap<>();

  void put(String name, String value) {
    values.put(name, value);
  }

  void remove(String name) {
    values.remove(name);
  }

  String substitute(String text) {
    String substituted =
        VARIABLE
            .matcher(text)
            .replaceAll(variable ->
                Matcher.quoteReplacement(
                    values.getOrDefault(variable.group(1), "no-value-for-" + variable.group(1))));
    return REPEATED_CHARACTER
        .matcher(substituted)
        .replaceAll(
            repetition -> repetition.group(1).repeat(Integer.parseInt(repetition.group(2))));
  }
}
