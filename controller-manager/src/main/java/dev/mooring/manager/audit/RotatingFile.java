package dev.mooring.manager.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
import org.jspecify.annotations.Nullable;

/**
 * Appends to a file up to a size, then rotates: FILE becomes FILE.1, FILE.1 becomes FILE.2, and the
 * oldest is deleted. Files are readable by their owner only. A failed write is truncated, so that
 * it can be repeated. If a former process left an incomplete line, this one starts on a new line.
 * Not thread-safe.
 */
final class RotatingFile extends OutputStream {
  private static final Set<StandardOpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  @FunctionalInterface
  interface Opener {
    SeekableByteChannel open(Path file) throws IOException;
  }

  private final Path file;
  private final long mostBytes;
  private final int mostFiles;
  private final Opener opener;
  private @Nullable SeekableByteChannel channel;
  private long size;
  private boolean broken;

  RotatingFile(Path file, long mostBytes, int mostFiles) throws IOException {
    this(file, mostBytes, mostFiles, RotatingFile::append);
  }

  RotatingFile(Path file, long mostBytes, int mostFiles, Opener opener) throws IOException {
    this.file = file;
    this.mostBytes = mostBytes;
    this.mostFiles = mostFiles;
    this.opener = opener;
    open();
  }

  private static SeekableByteChannel append(Path file) throws IOException {
    FileAttribute<?>[] mine =
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return Files.newByteChannel(file, APPEND, mine);
  }

  private SeekableByteChannel open() throws IOException {
    boolean half = endsWithinLine();
    SeekableByteChannel opened = opener.open(file);
    channel = opened;
    size = opened.size();
    if (half) {
      append(opened, ByteBuffer.wrap(new byte[] {'\n'}));
    }
    return opened;
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
    SeekableByteChannel to = channel;
    if (to == null || broken) { // space may be available again
      to = reopen();
    }
    broken = true;
    if (size > 0 && size + length > mostBytes) {
      to = rotate(to);
    }
    append(to, ByteBuffer.wrap(bytes, from, length));
    broken = false;
  }

  private void append(SeekableByteChannel to, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      size += length;
    } finally {
      if (bytes.hasRemaining() && to.isOpen()) {
        to.truncate(size);
      }
    }
  }

  private SeekableByteChannel reopen() throws IOException {
    close();
    return open();
  }

  private SeekableByteChannel rotate(SeekableByteChannel full) throws IOException {
    full.close();
    if (mostFiles == 1) {
      Files.deleteIfExists(file);
    }
    for (int i = mostFiles - 1; i > 0; i--) {
      Path older = i == 1 ? file : numbered(file, i - 1);
      if (Files.exists(older)) {
        Files.move(older, numbered(file, i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return open();
  }

  static Path numbered(Path file, int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    SeekableByteChannel last = channel;
    channel = null;
    if (last != null) {
      last.close();
    }
  }
}
