package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

final class DirectoryOperations {
  private DirectoryOperations() {}

  /** Copies a directory recursively, with file times; the target must not exist. */
  static void copy(Path folder, Path target) throws IOException {
    for (Path file : walk(folder)) {
      Files.copy(file, target.resolve(folder.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      for (Path file : walk(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> walk(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.toList();
    }
  }
}
