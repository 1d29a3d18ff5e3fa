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
  private final long maxBytes;
  private final int maxFiles;
  private final Opener opener;
  private @Nullable SeekableByteChannel channel;
  private long size;
  private boolean isBroken;

  RotatingFile(Path file, long maxBytes, int maxFiles) throws IOException {
    this(file, maxBytes, maxFiles, RotatingFile::openForAppend);
  }

  RotatingFile(Path file, long maxBytes, int maxFiles, Opener opener) throws IOException {
    this.file = file;
    this.maxBytes = maxBytes;
    this.maxFiles = maxFiles;
    this.opener = opener;
    open();
  }

  private static SeekableByteChannel openForAppend(Path file) throws IOException {
    FileAttribute<?>[] attributes =
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return Files.newByteChannel(file, APPEND, attributes);
  }

  private SeekableByteChannel open() throws IOException {
    boolean isIncomplete = endsWithinLine();
    SeekableByteChannel newChannel = opener.open(file);
    channel = newChannel;
    size = newChannel.size();
    if (isIncomplete) {
      append(newChannel, ByteBuffer.wrap(new byte[] {'\n'}));
    }
    return newChannel;
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
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    SeekableByteChannel target = channel;
    if (target == null || isBroken) { // space may be available again
      target = reopen();
    }
    isBroken = true;
    if (size > 0 && size + length > maxBytes) {
      target = rotate(target);
    }
    append(target, ByteBuffer.wrap(bytes, offset, length));
    isBroken = false;
  }

  private void append(SeekableByteChannel target, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        target.write(bytes);
      }
      size += length;
    } finally {
      if (bytes.hasRemaining() && target.isOpen()) {
        target.truncate(size);
      }
    }
  }

  private SeekableByteChannel reopen() throws IOException {
    close();
    return open();
  }

  private SeekableByteChannel rotate(SeekableByteChannel fullChannel) throws IOException {
    fullChannel.close();
    if (maxFiles == 1) {
      Files.deleteIfExists(file);
    }
    for (int i = maxFiles - 1; i > 0; i--) {
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
    SeekableByteChannel openChannel = channel;
    channel = null;
    if (openChannel != null) {
      openChannel.close();
    }
  }
}
