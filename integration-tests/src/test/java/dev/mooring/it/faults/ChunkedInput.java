package dev.mooring.it.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body in chunks; a read gives what is there of one of them. */
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
      return 0; // asked so at the end of an event: to wait for the next chunk would hold it back
    }
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(into, from, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("a chunk that breaks off");
    }
    left -= count;
    return count;
  }

  private void next() throws IOException {
    if (begun) {
      line(); // the end of the last one's data
    }
    begun = true;
    left = Long.parseLong(line().split(";", 2)[0].strip(), 16);
    if (left == 0) {
      ended = true;
      while (!line().isEmpty()) {
        // trailers are not passed on
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("chunks that break off");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
