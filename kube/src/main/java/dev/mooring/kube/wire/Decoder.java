package dev.mooring.kube.wire;

import java.io.IOException;

/**
 * Decodes one object.
 *
 * @param <T> type of the record
 */
@FunctionalInterface
public interface Decoder<T> {
  /** Decodes the open message of {@code in} to its end. */
  T decode(WireReader in) throws IOException;
}
