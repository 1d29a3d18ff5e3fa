package dev.mooring.model;

import java.util.Locale;

/**
 * A reason for a decision or state, as shown in events, explanations and logs. Implemented by enums
 * with one constant per reason.
 */
public interface ReasonCode {
  String name();

  ReasonText wording();

  default String meaning() {
    return wording().meaning();
  }

  default String remedy() {
    return wording().remedy();
  }

  default String code() {
    StringBuilder code = new StringBuilder();
    for (String word : name().split("_", -1)) {
      code.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return code.toString();
  }
}
