package dev.mooring.informer;

/**
 * Answer of the API server that a kind cannot be listed or watched, until the cluster or a right
 * changes.
 *
 * @param cause why
 * @param message answer of the API server, on one line
 */
public record ListRefusal(Cause cause, String message) {
  public enum Cause {
    /** The API server does not serve the kind (404). */
    NOT_SERVED,
    /** A right is missing (403). */
    FORBIDDEN
  }
}
