package dev.mooring.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Checks that a reader gets a chunk before the next chunk arrives. */
class ChunkedInputTest {
  private static InputStream open(String transferredBytes) {
    return new ChunkedInput(
        new ByteArrayInputStream(transferredBytes.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void read_endOfChunk_returnsBeforeNextChunk() throws IOException {
    InputStream in = open("3\r\nabc\r\n"); // the stream ends there, so reading the next chunk fails
    assertThat(in.readNBytes(3)).asString(StandardCharsets.US_ASCII).isEqualTo("abc");
  }

  @Test
  void read_allChunks_returnsData() throws IOException {
    assertThat(open("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").readAllBytes())
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo("abcde");
  }
}
