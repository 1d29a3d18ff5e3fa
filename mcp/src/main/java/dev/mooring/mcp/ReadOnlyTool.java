package dev.mooring.mcp;

/**
 * A tool without side effects. The server announces every tool as read-only, idempotent,
 * non-destructive and closed-world.
 *
 * @param name identifier for programs: letters, digits and underscores
 * @param title name for people
 * @param description purpose of the tool and when to call it, for the model that selects tools
 * @param input JSON schema of the arguments, an object; invalid arguments are refused before the
 *     handler is called
 * @param output JSON schema of the structured answer, an object
 * @param handler answers the calls
 */
public record ReadOnlyTool(
    String name, String title, String description, String input, String output, Handler handler) {

  /** Answers calls. The server never calls a handler concurrently. */
  @FunctionalInterface
  public interface Handler {
    ToolAnswer answer(ToolArguments arguments) throws InterruptedException;
  }
}
