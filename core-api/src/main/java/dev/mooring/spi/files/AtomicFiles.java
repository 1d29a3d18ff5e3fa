package dev.mooring.spi.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Small text files of a plugin, for example the owner of each directory. A reader sees the previous
 * or the new content, never a part, even after a crash of the process.
 *
 * <p>The files must be in a directory that only the plugin can write to, as returned by {@link
 * DirectoryTree#privateDirectory}: a symbolic link in place of that directory would be followed.
 *
 * <p>Errors: after an {@link IOException} from {@link #write} the file may or may not have been
 * written ({@code Uncertain}).
 *
 * <p>Threads: many. Of concurrent writes to one file, the last one wins. Calls block.
 */
public final class AtomicFiles {
  private static final String DRAFT = ".draft";
  private static final int MAX_BYTES = 1 << 20;

  private AtomicFiles() {}

  /**
   * Returns the content; empty if the file does not exist.
   *
   * @throws IOException if the file cannot be read, is a link or another non-file, or is not UTF-8
   *     text of at most 1 MiB
   */
  public static Optional<String> read(Path file) throws IOException {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isRegularFile()) {
        throw new FileSystemException(file.toString(), null, "is not a regular file");
      }
      try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
          throw new FileSystemException(file.toString(), null, "is longer than 1 MiB");
        }
        return Optional.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      }
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /**
   * Creates or replaces a file.
   *
   * @param file target; its parent directory must exist
   * @param text content, written as UTF-8
   * @param drafts existing directory in the same file system for incomplete files. After a crash it
   *     may contain files that start with {@code .draft}; the plugin may delete them
   */
  public static void write(Path file, String text, Path drafts) throws IOException {
    Path draft = Files.createTempFile(drafts, DRAFT, "");
    try {
      Files.writeString(draft, text);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      deleteDraft(draft, e);
      throw e;
    }
  }

  // Otherwise retries on a full file system would use up its inodes.
  private static void deleteDraft(Path draft, IOException cause) {
    try {
      Files.deleteIfExists(draft);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
