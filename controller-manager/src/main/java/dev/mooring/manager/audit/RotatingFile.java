package dev.mooring.manager.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that is appended to, up to a size; then it becomes FILE.1, what was FILE.1 becomes FILE.2,
 * and the oldest goes. Readable by its owner only. A process that ended within a line leaves half
 * of one: the next one begins on a line of its own. For one thread.
 */
final class RotatingFile extends OutputStream {
  private static final Set<StandardOpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private final Path file;
  private final long mostBytes;
  private final int mostFiles;
  private OutputStream out;
  private long size;
  private boolean broken;

  /**
   * Opens it.
   *
   * @param mostBytes after how many bytes the next one is begun
   * @param mostFiles how many files there are at most, at least 1
   * @throws IOException if it cannot be written
   */
  RotatingFile(Path file, long mostBytes, int mostFiles) throws IOException {
    this.file = file;
    this.mostBytes = mostBytes;
    this.mostFiles = mostFiles;
    this.out = OutputStream.nullOutputStream();
    open();
  }

  private void open() throws IOException {
    FileAttribute<?>[] mine =
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    boolean half = endsWithinLine();
    SeekableByteChannel channel = Files.newByteChannel(file, APPEND, mine);
    out = Channels.newOutputStream(channel);
    size = channel.size();
    if (half) {
      out.write('\n');
      size++;
    }
  }

  private boolean endsWithinLine() throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) == 0) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      channel.read(last, channel.size() - 1);
      return last.get(0) != '\n';
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    boolean done = false;
    try {
      if (broken) { // a disk that was full may have room again
        out.close();
        open();
      }
      if (size > 0 && size + length > mostBytes) {
        rotate();
      }
      out.write(bytes, from, length);
      size += length;
      done = true;
    } finally {
      broken = !done;
    }
  }

  private void rotate() throws IOException {
    out.close();
    try {
      if (mostFiles == 1) {
        Files.deleteIfExists(file);
      }
      for (int i = mostFiles - 1; i > 0; i--) {
        Path older = i == 1 ? file : numbered(file, i - 1);
        if (Files.exists(older)) {
          Files.move(older, numbered(file, i), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } finally {
      open();
    }
  }

  /** What the file was called the {@code number}th time ago. */
  static Path numbered(Path file, int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
