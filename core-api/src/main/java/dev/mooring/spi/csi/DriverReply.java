package dev.mooring.spi.csi;

/**
 * Result of a call to a driver.
 *
 * @param <T> type of the value on success
 */
public sealed interface DriverReply<T> {
  /** The driver performed the operation. */
  record Ok<T>(T value) implements DriverReply<T> {}

  /**
   * The driver refused or the result is unknown.
   *
   * @param code gRPC status code
   * @param message text of the driver or the transport
   */
  record Refused<T>(StatusCode code, String message) implements DriverReply<T> {
    /** Returns the text that the Go libraries show for this error. */
    public String text() {
      return "rpc error: code = " + code.spelling() + " desc = " + message;
    }
  }
}
