package dev.mooring.manager.command;

/**
 * A command cannot do what it was asked; the message is one line that names the thing, the value
 * and the remedy.
 */
public class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With that message. */
  public UsageException(String message) {
    super(message);
  }

  public int exitCode() {
    return 1;
  }
}
