package dev.mooring.manager.explain;

/**
 * A request cannot be answered. The message is one line with the object, the value and the remedy.
 */
public final class NotAnsweredException extends Exception {
  private static final long serialVersionUID = 1L;

  public NotAnsweredException(String message) {
    super(message);
  }
}
