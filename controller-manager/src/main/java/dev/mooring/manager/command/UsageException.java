package dev.mooring.manager.command;

/**
 * A command cannot do what the user requested. The message is one line with the flag or object, its
 * value and the remedy.
 */
public class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public int exitCode() {
    return 1;
  }
}
