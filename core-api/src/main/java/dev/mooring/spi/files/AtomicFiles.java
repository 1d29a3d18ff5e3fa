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
 * Small texts that a plugin keeps, each in a file of its own: which volume a directory is of, say.
 * Whoever reads one finds what was written last, or what was there before, and never a part of it;
 * after a crash of the process too.
 *
 * <p>They have to lie where nobody else may write, in a directory that {@link DirectoryTree#own}
 * gives: one that is a link is read as what it leads to.
 *
 * <p>Errors: an {@link IOException} of {@link #write} says that it may or may not have been written
 * ({@code Uncertain}).
 *
 * <p>Threads: many; of those that write one file at once, one is the last. Calls block.
 */
public final class AtomicFiles {
  private static final String DRAFT = ".draft";
  private static final int LONGEST = 1 << 20;

  private AtomicFiles() {}

  /**
   * What was written last; empty if the file is not there.
   *
   * @throws IOException if it cannot be read, is a link, or is no text in UTF-8 of 1 MiB at most
   */
  public static Optional<String> read(Path file) throws IOException {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isRegularFile()) {
        throw new FileSystemException(file.toString(), null, "is no file");
      }
      try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        byte[] bytes = in.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
          throw new FileSystemException(file.toString(), null, "is too long");
        }
        return Optional.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      }
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /**
   * Writes a file, in place of one that is there.
   *
   * @param file where; its directory has to be there
   * @param text is written in UTF-8
   * @param drafts a directory of the same file system, which has to be there: what is being written
   *     is in there until it is whole, and what a crash leaves there, by a name that begins with
   *     {@code .draft}, may be removed
   */
  public static void write(Path file, String text, Path drafts) throws IOException {
    Path draft = Files.createTempFile(drafts, DRAFT, "");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
