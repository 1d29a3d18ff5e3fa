package dev.mooring.it.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A chunked body; a read returns the available bytes of one chunk. */
final class ChunkedInput extends InputStream {
  private final InputStream in;
  private long left;
  private boolean begun;
  private boolean ended;

  ChunkedInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0; // do not wait for the next chunk at the end of an event: that would hold the event
      // back
    }
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(into, from, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("truncated chunk");
    }
    left -= count;
    return count;
  }

  private void next() throws IOException {
    if (begun) {
      line(); // the end of the previous chunk's data
    }
    begun = true;
    left = Long.parseLong(line().split(";", 2)[0].strip(), 16);
    if (left == 0) {
      ended = true;
      while (!line().isEmpty()) {
        // trailers are not forwarded
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("truncated chunks");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
