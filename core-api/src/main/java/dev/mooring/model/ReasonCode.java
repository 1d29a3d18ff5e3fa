package dev.mooring.model;

import java.util.Locale;

/**
 * Why something of the cluster stands as it does: what controllers decide, events carry and people
 * are told. For enums, whose constants are the reasons.
 */
public interface ReasonCode {
  /** The constant's name, in capitals with underscores. */
  String name();

  /** The reason in words. */
  Wording wording();

  /** What it means, for people. */
  default String meaning() {
    return wording().meaning();
  }

  /** What can be done, for people; "" for nothing. */
  default String remedy() {
    return wording().remedy();
  }

  /** The stable code that events and documents carry: the name in CamelCase. */
  default String code() {
    StringBuilder code = new StringBuilder();
    for (String word : name().split("_", -1)) {
      code.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return code.toString();
  }
}
