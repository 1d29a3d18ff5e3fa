package dev.mooring.informer;

import java.time.Duration;

/** Why a list or watch failed, as far as it matters for what happens next. */
public final class ListWatchException extends Exception {
  /** The kinds of failure. */
  public enum Why {
    /** The version is too old (410): list again. */
    EXPIRED,
    /** The version is from the future ("Too large resource version"): the server lags behind. */
    FUTURE_VERSION,
    /** The server asks for patience (429). */
    THROTTLED,
    /** The server does not know streaming lists. */
    NO_STREAMING,
    /** The server does not have the resource (404). */
    NO_SUCH_RESOURCE,
    /** Who we are is not accepted (401). That says nothing about what there is to see. */
    UNAUTHENTICATED,
    /** We may not see it (403), which is an answer. */
    FORBIDDEN,
    /** Nothing more came, not even the end. */
    SILENT,
    /** Everything else: no connection, 5xx, an answer that cannot be read. */
    FAILED
  }

  private final Why why;
  private final String message;
  private final Duration retryAfter;

  /** With a message that names the address and what came back. */
  public ListWatchException(Why why, String message) {
    this(why, message, Duration.ZERO);
  }

  /** With the pause that the server asked for. */
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

  /** The kind of failure. */
  public Why why() {
    return why;
  }

  /** The pause that the server asked for; zero if none. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
