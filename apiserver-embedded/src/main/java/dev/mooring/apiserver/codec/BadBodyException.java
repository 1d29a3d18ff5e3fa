package dev.mooring.apiserver.codec;

/**
 * A body that cannot be read; the message says why in the words that clients know from Kubernetes.
 */
public final class BadBodyException extends Exception {
  private final String message;

  /** With that message. */
  public BadBodyException(String message) {
    super(message);
    this.message = message;
  }

  @Override
  public String getMessage() {
    return message;
  }
}
