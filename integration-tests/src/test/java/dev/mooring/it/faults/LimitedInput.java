package dev.mooring.it.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A body of known length. */
final class LimitedInput extends InputStream {
  private final InputStream in;
  private long remainder;

  LimitedInput(InputStream in, long length) {
    this.in = in;
    this.remainder = length;
  }

  @Override
  public int read() throws IOException {
    byte[] buffer = new byte[1];
    return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (remainder == 0) {
      return -1;
    }
    int count = in.read(target, offset, (int) Math.min(length, remainder));
    if (count < 0) {
      throw new EOFException("truncated body");
    }
    remainder -= count;
    return count;
  }
}
