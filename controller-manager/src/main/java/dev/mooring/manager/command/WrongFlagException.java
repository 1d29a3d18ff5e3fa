package dev.mooring.manager.command;

/**
 * A flag, or the value of a flag, cannot be used: exit code 2. The message is one line that names
 * the flag, the value and the remedy.
 */
public final class WrongFlagException extends UsageException {
  private static final long serialVersionUID = 1L;

  public WrongFlagException(String message) {
    super(message);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
