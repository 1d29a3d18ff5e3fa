package dev.mooring.informer;

import java.time.Duration;

/** Failure of a list or watch. Its kind determines the next step. */
public final class ListWatchException extends Exception {
  public enum Reason {
    /** The version is too old (410); a new list is required. */
    EXPIRED,
    /** The version is in the future ("Too large resource version"); the server lags behind. */
    FUTURE_VERSION,
    THROTTLED,
    NO_STREAMING,
    NO_SUCH_RESOURCE,
    UNAUTHENTICATED,
    FORBIDDEN,
    /** The connection is silent: no event, and no regular end. */
    SILENT,
    FAILED
  }

  private final Reason reason;
  private final String message;
  private final Duration retryAfter;

  public ListWatchException(Reason reason, String message) {
    this(reason, message, Duration.ZERO);
  }

  public ListWatchException(Reason reason, String message, Duration retryAfter) {
    super(message);
    this.message = message;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  @Override
  public String getMessage() {
    return message;
  }

  public Reason reason() {
    return reason;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
