package dev.mooring.it.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body of known length. */
final class LimitedInput extends InputStream {
  private final InputStream in;
  private long left;

  LimitedInput(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = in.read(into, from, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("truncated body");
    }
    left -= count;
    return count;
  }
}
