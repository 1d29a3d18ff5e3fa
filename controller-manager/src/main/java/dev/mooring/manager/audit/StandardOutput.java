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
  private boolean broken;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  StandardOutput(FileOutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    boolean done = false;
    try {
      if (broken) {
        out.write('\n');
      }
      out.write(bytes, from, length);
      done = true;
    } finally {
      broken = !done;
    }
  }
}
