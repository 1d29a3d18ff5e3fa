package dev.mooring.it.faults;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A chunked body; a read returns the available bytes of one chunk. */
final class ChunkedInput extends InputStream {
  private final InputStream in;
  private long chunkRemainder;
  private boolean hasStarted;
  private boolean isAtEnd;

  ChunkedInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] buffer = new byte[1];
    return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0; // waiting for the next chunk would delay the event that this chunk ends
    }
    if (chunkRemainder == 0 && !isAtEnd) {
      startNextChunk();
    }
    if (isAtEnd) {
      return -1;
    }
    int count = in.read(target, offset, (int) Math.min(length, chunkRemainder));
    if (count < 0) {
      throw new EOFException("truncated chunk");
    }
    chunkRemainder -= count;
    return count;
  }

  private void startNextChunk() throws IOException {
    if (hasStarted) {
      readLine(); // the end of the previous chunk's data
    }
    hasStarted = true;
    chunkRemainder = Long.parseLong(readLine().split(";", 2)[0].strip(), 16);
    if (chunkRemainder == 0) {
      isAtEnd = true;
      while (!readLine().isEmpty()) {
        // trailers are not forwarded
      }
    }
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int character = in.read(); character != '\n'; character = in.read()) {
      if (character < 0) {
        throw new EOFException("truncated chunks");
      }
      if (character != '\r') {
        line.append((char) character);
      }
    }
    return line.toString();
  }
}
