package dev.mooring.manager.command;

import dev.mooring.text.FileProblem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

final class NewFile {
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private NewFile() {}

  // Creates the file completely or not at all.
  static void create(Path file, Content content) throws UsageException {
    boolean isCreated = false;
    boolean isComplete = false;
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      isCreated = true;
      content.writeTo(out);
      isComplete = true;
    } catch (FileAlreadyExistsException e) {
      throw new UsageException(file + " exists: specify a new file, or delete it");
    } catch (IOException e) {
      throw new UsageException(
          "%s cannot be written (%s): specify a file in a writable directory"
              .formatted(file, FileProblem.findReason(e)));
    } finally {
      if (isCreated && !isComplete) {
        delete(file);
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // the failure to write is reported
    }
  }
}
