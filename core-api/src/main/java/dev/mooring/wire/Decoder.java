package dev.mooring.wire;

import java.io.IOException;

/**
 * Decodes one object.
 *
 * @param <T> type of the record
 */
@FunctionalInterface
public interface Decoder<T> {
  T decode(WireReader in) throws IOException;
}
