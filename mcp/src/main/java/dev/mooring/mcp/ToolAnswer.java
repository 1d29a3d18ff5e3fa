package dev.mooring.mcp;

/** Result of a tool call. */
public sealed interface ToolAnswer {
  record Answered(String text, String json) implements ToolAnswer {}

  record Refused(String message) implements ToolAnswer {}
}
