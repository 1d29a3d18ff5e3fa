package dev.mooring.manager.audit;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output without its print stream, which hides write errors. Never closed, because others
 * use it. A line that failed halfway is terminated before it is repeated. Not thread-safe.
 */
final class StandardOutput extends OutputStream {
  private final FileOutputStream out;
  private boolean isBroken;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(FileOutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    boolean isWritten = false;
    try {
      if (isBroken) {
        out.write('\n');
      }
      out.write(bytes, offset, length);
      isWritten = true;
    } finally {
      isBroken = !isWritten;
    }
  }
}
