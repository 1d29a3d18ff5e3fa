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
    Path currentFile = file;
    try {
      long unreadable = 0;
      for (Path logFile : listFiles()) {
        currentFile = logFile;
        unreadable += read(logFile, lines);
      }
      return unreadable;
    } catch (NoSuchFileException e) {
      throw new IOException("--audit-log " + currentFile + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new IOException("--audit-log " + currentFile + " cannot be read: permission denied", e);
    } catch (IOException e) {
      throw new IOException("--audit-log " + currentFile + " cannot be read: " + e.getMessage(), e);
    }
  }

  // Returns the files, the oldest first. Reads a file once even if it is rotated meanwhile.
  private List<Path> listFiles() throws IOException {
    List<Path> files = new ArrayList<>(List.of(file));
    Set<Object> identities = new HashSet<>();
    identities.add(identity(file));
    for (int i = 1; ; i++) {
      Path older = RotatingFile.numbered(file, i);
      if (!Files.exists(older)) {
        return files;
      }
      if (identities.add(identity(older))) {
        files.addFirst(older);
      }
    }
  }

  private static Object identity(Path logFile) throws IOException {
    Object key = Files.readAttributes(logFile, BasicFileAttributes.class).fileKey();
    return key == null ? logFile : key;
  }

  private static long read(Path logFile, Consumer<AuditLine> lines) throws IOException {
    long unreadable = 0;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Files.newInputStream(logFile),
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)))) {
      String text = reader.readLine();
      while (text != null) {
        String next = reader.readLine();
        Optional<AuditLine> line = AuditFields.read(text);
        line.ifPresent(lines);
        unreadable += line.isEmpty() && next != null && !text.isBlank() ? 1 : 0;
        text = next;
      }
    }
    return unreadable;
  }
}
