package dev.mooring.informer;

import java.time.Duration;

/** Failure of a list or watch. Its kind determines the next step. */
public final class ListWatchException extends Exception {
  public enum Why {
    /** The version is too old (410); a new list is required. */
    EXPIRED,
    /** The version is in the future ("Too large resource version"); the server lags behind. */
    FUTURE_VERSION,
    /** The server asks for a retry later (429). */
    THROTTLED,
    /** The server does not support streaming lists. */
    NO_STREAMING,
    /** The server does not have the resource (404). */
    NO_SUCH_RESOURCE,
    /**
     * The credentials are not accepted (401). The failure contains no information about the
     * objects.
     */
    UNAUTHENTICATED,
    FORBIDDEN,
    /** The connection is silent: no event, and no regular end. */
    SILENT,
    /** Any other failure: no connection, 5xx or an invalid answer. */
    FAILED
  }

  private final Why why;
  private final String message;
  private final Duration retryAfter;

  /** Creates an exception; the message names the URL and the answer. */
  public ListWatchException(Why why, String message) {
    this(why, message, Duration.ZERO);
  }

  /** Creates an exception with the delay that the server requested. */
  public ListWatchException(Why why, String message, Duration retryAfter) {
    super(message);
    this.message = message;
    this.why = why;
    this.retryAfter = retryAfter;
  }

  @Override
  public String getMessage() {
    return message;
  }

  public Why why() {
    return why;
  }

  /** Returns the delay that the server requested; zero if none. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
