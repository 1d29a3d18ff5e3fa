package dev.mooring.manager.command;

/**
 * Invalid flag or value: exit code 2. The message is one line with the flag, the value and the
 * remedy.
 */
public final class InvalidFlagException extends UsageException {
  private static final long serialVersionUID = 1L;

  public InvalidFlagException(String message) {
    super(message);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
