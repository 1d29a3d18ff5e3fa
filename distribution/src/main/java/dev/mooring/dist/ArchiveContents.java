package dev.mooring.dist;

import dev.mooring.dist.image.LauncherCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Files of an archive by their names in it, sorted, so that the order does not depend on the file
 * system.
 */
final class ArchiveContents {
  private final TreeMap<String, Path> files = new TreeMap<>();

  ArchiveContents add(String name, Path file) {
    files.put(name, file);
    return this;
  }

  /**
   * Adds the files of a directory recursively.
   *
   * @param name name of the directory in the archive
   */
  ArchiveContents addAll(String name, Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .filter(Files::isRegularFile)
          .filter(file -> !LauncherCache.contains(file))
          .forEach(file ->
              add(name + "/" + folder.relativize(file).toString().replace('\\', '/'), file));
    }
    return this;
  }

  Map<String, Path> files() {
    return files;
  }
}
