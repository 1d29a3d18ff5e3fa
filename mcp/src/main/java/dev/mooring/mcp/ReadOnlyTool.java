package dev.mooring.mcp;

/**
 * A question that can be asked. Asking changes nothing, which is what clients are told: read-only,
 * idempotent, not destructive, about nothing but what the host looks at.
 *
 * @param name what programs call it by: letters, digits and underscores
 * @param title what people call it
 * @param description what it answers and when to ask it, for whoever chooses among tools
 * @param input the JSON schema of its arguments, one object; what is not by it is refused before
 *     the tool is asked
 * @param output the JSON schema of what it answers to programs, one object
 * @param handler answers
 */
public record ReadOnlyTool(
    String name, String title, String description, String input, String output, Handler handler) {

  /** Answers calls, one at a time. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers one call; may block.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    ToolAnswer answer(Arguments arguments) throws InterruptedException;
  }
}
