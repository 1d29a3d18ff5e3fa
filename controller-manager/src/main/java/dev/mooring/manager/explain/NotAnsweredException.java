package dev.mooring.manager.explain;

/**
 * A question that cannot be answered; the message is one line that names the thing, the value and
 * the remedy.
 */
public final class NotAnsweredException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With that message. */
  public NotAnsweredException(String message) {
    super(message);
  }
}
