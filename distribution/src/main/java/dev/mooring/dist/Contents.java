package dev.mooring.dist;

import dev.mooring.dist.image.LauncherCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What goes into an archive: files by their names there, in the order of these names, whatever the
 * file system's order is.
 */
final class Contents {
  private final TreeMap<String, Path> files = new TreeMap<>();

  Contents add(String name, Path file) {
    files.put(name, file);
    return this;
  }

  /**
   * Adds the files of a folder, and of the folders in it.
   *
   * @param name the folder's name in the archive
   */
  Contents addAll(String name, Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(Files::isRegularFile)
          .filter(file -> !LauncherCache.has(file))
          .forEach(file ->
              add(name + "/" + folder.relativize(file).toString().replace('\\', '/'), file));
    }
    return this;
  }

  Map<String, Path> files() {
    return files;
  }
}
