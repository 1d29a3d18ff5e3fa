package dev.mooring.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Checks that an event is available immediately, whatever follows it. */
class ChunkedInputTest {
  private static InputStream of(String wire) {
    return new ChunkedInput(new ByteArrayInputStream(wire.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void read_endOfChunk_doesNotReadNext() throws IOException {
    InputStream in = of("3\r\nabc\r\n"); // a read beyond the available bytes would fail
    assertThat(in.readNBytes(3)).asString(StandardCharsets.US_ASCII).isEqualTo("abc");
  }

  @Test
  void read_lastChunk_endsStream() throws IOException {
    assertThat(of("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").readAllBytes())
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo("abcde");
  }
}
