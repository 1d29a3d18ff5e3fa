package dev.mooring.mcp;

/** What comes of a call. */
public sealed interface ToolAnswer {
  /**
   * It was answered.
   *
   * @param text for people
   * @param json the same for programs: one JSON object, by the tool's own output schema
   */
  record Answered(String text, String json) implements ToolAnswer {}

  /**
   * It could not be answered; whoever asked may ask otherwise.
   *
   * @param why one line that names the thing and the remedy
   */
  record Refused(String why) implements ToolAnswer {}
}
