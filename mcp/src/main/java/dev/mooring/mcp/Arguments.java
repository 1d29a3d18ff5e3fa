package dev.mooring.mcp;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The arguments of a call, which were found to be by the tool's input schema.
 *
 * @param byName each under its name
 */
public record Arguments(Map<String, Object> byName) {
  /** They are copied. */
  public Arguments {
    byName = Collections.unmodifiableMap(new HashMap<>(byName));
  }

  /** A text; {@code otherwise} if there is none of that name. */
  public String text(String name, String otherwise) {
    return byName.get(name) instanceof String text ? text : otherwise;
  }

  /** A whole number; {@code otherwise} if there is none of that name. */
  public int number(String name, int otherwise) {
    return byName.get(name) instanceof Number number ? number.intValue() : otherwise;
  }
}
