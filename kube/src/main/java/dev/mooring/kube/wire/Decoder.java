package dev.mooring.kube.wire;

import java.io.IOException;

/**
 * Reads one object.
 *
 * @param <T> the record
 */
@FunctionalInterface
public interface Decoder<T> {
  /** Reads the message that {@code in} has been opened on, to its end. */
  T decode(Wire in) throws IOException;
}
