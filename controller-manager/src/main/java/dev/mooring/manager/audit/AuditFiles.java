package dev.mooring.manager.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A log as it lies on the disk: FILE, and before it FILE.1, FILE.2 and so on. It may be written
 * meanwhile.
 */
public final class AuditFiles {
  private final Path file;

  /** The log whose newest part is that file. */
  public AuditFiles(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * Hands all lines over, the oldest first.
   *
   * @return how many lines could not be read; half a line at the end is being written, and is none
   * @throws IOException if there is no such log, or a file of it cannot be read; the message names
   *     it and says why
   */
  public long read(Consumer<AuditLine> lines) throws IOException {
    Path at = file;
    try {
      long unread = 0;
      for (Path part : parts()) {
        at = part;
        unread += read(part, lines);
      }
      return unread;
    } catch (NoSuchFileException why) {
      throw new IOException("--audit-log " + at + ": there is no such file", why);
    } catch (AccessDeniedException why) {
      throw new IOException("--audit-log " + at + " cannot be read: permission denied", why);
    } catch (IOException why) {
      throw new IOException("--audit-log " + at + " cannot be read: " + why.getMessage(), why);
    }
  }

  /** The oldest first. A part that got its next number while it was looked at is read once. */
  private List<Path> parts() throws IOException {
    List<Path> parts = new ArrayList<>(List.of(file));
    Set<Object> seen = new HashSet<>();
    seen.add(identity(file));
    for (int i = 1; ; i++) {
      Path older = RotatingFile.numbered(file, i);
      if (!Files.exists(older)) {
        return parts;
      }
      if (seen.add(identity(older))) {
        parts.addFirst(older);
      }
    }
  }

  private static Object identity(Path part) throws IOException {
    Object key = Files.readAttributes(part, BasicFileAttributes.class).fileKey();
    return key == null ? part : key;
  }

  private static long read(Path part, Consumer<AuditLine> lines) throws IOException {
    long unread = 0;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Files.newInputStream(part),
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)))) {
      String text = reader.readLine();
      while (text != null) {
        String next = reader.readLine();
        Optional<AuditLine> line = AuditFields.read(text);
        line.ifPresent(lines);
        unread += line.isEmpty() && next != null && !text.isBlank() ? 1 : 0;
        text = next;
      }
    }
    return unread;
  }
}
