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
 * Audit log on disk: FILE and the older FILE.1, FILE.2 and so on. May be read while it is written.
 */
public final class AuditFiles {
  private final Path file;

  public AuditFiles(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * Passes all lines to the consumer, the oldest first.
   *
   * @return number of unreadable lines, not counting an incomplete last line that is being written
   * @throws IOException if the log does not exist or a file is unreadable; the message contains
   *     file and reason
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
      throw new IOException("--audit-log " + at + ": no such file", why);
    } catch (AccessDeniedException why) {
      throw new IOException("--audit-log " + at + " cannot be read: permission denied", why);
    } catch (IOException why) {
      throw new IOException("--audit-log " + at + " cannot be read: " + why.getMessage(), why);
    }
  }

  // Returns the files, the oldest first. Reads a file once even if it is rotated meanwhile.
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
