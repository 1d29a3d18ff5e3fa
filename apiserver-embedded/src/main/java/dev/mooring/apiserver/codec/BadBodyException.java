package dev.mooring.apiserver.codec;

/** A body that cannot be decoded. The message has Kubernetes' wording. */
public final class BadBodyException extends Exception {
  private final String message;

  public BadBodyException(String message) {
    super(message);
    this.message = message;
  }

  @Override
  public String getMessage() {
    return message;
  }
}
