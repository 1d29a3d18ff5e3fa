package dev.mooring.mcp;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Arguments of a tool call, already validated against the tool's input schema.
 *
 * @param byName argument values by name
 */
public record ToolArguments(Map<String, Object> byName) {
  public ToolArguments {
    byName = Collections.unmodifiableMap(new HashMap<>(byName));
  }

  public String text(String name, String fallback) {
    return byName.get(name) instanceof String text ? text : fallback;
  }

  public int number(String name, int fallback) {
    return byName.get(name) instanceof Number number ? number.intValue() : fallback;
  }
}
