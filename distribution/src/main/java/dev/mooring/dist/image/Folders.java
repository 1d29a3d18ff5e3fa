package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with everything that is in them. */
final class Folders {
  private Folders() {}

  /** Copies one, files with their times, to where nothing is. */
  static void copy(Path folder, Path to) throws IOException {
    for (Path file : all(folder)) {
      Files.copy(file, to.resolve(folder.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      for (Path file : all(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.toList();
    }
  }
}
