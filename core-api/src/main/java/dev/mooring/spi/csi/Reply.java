package dev.mooring.spi.csi;

/**
 * How a call to a driver ended.
 *
 * @param <T> what success yields
 */
public sealed interface Reply<T> {
  /** The driver did it. */
  record Ok<T>(T value) implements Reply<T> {}

  /**
   * It did not, or nobody knows.
   *
   * @param code gRPC's code
   * @param message the driver's words, or the transport's
   */
  record Refused<T>(StatusCode code, String message) implements Reply<T> {
    /** In the words that other tools use for it. */
    public String text() {
      return "rpc error: code = " + code.spelling() + " desc = " + message;
    }
  }
}
