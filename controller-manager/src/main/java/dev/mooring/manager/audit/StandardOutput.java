package dev.mooring.manager.audit;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output, without the print stream around it, which tells nobody that it could not write.
 * Others need it after it has been closed here. What was written of a line before it failed becomes
 * a line of its own. For one thread.
 */
final class StandardOutput extends OutputStream {
  private final FileOutputStream out;
  private boolean broken;

  StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  /** Written there instead. */
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
