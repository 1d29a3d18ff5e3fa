package dev.mooring.mcp;

/** Result of a tool call. */
public sealed interface ToolAnswer {
  /**
   * A successful answer.
   *
   * @param text the answer for people
   * @param json the same answer for programs: one JSON object that conforms to the output schema
   */
  record Answered(String text, String json) implements ToolAnswer {}

  /**
   * A refusal; the client may retry with other arguments.
   *
   * @param why one line that names the object and the remedy
   */
  record Refused(String why) implements ToolAnswer {}
}
