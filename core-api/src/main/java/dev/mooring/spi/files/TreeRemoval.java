package dev.mooring.spi.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Empties a directory; links in it go as links. Directories are moved up before they are emptied,
 * so that however deep they are, two are open at most, and however many they are, none is
 * remembered.
 */
final class TreeRemoval {
  private boolean found;

  private TreeRemoval() {}

  /**
   * Until nothing is found any more.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  static void empty(Path root, List<Path> directory) throws IOException, InterruptedException {
    TreeRemoval look = new TreeRemoval();
    do {
      look.found = false;
      try (OpenDirectory top = OpenDirectory.of(root, directory)) {
        top.forEach(entry -> look.remove(top, entry));
      }
    } while (look.found);
  }

  private void remove(OpenDirectory top, Path entry) throws IOException, InterruptedException {
    found = true;
    try {
      if (!top.isDirectory(entry)) {
        top.deleteFile(entry);
        return;
      }
      if (top.deleteIfEmpty(entry)) { // fails where something is mounted: that is not emptied
        return;
      }
      try (OpenDirectory inside = top.enter(entry)) {
        inside.forEach(name -> {
          if (!inside.isDirectory(name)) {
            inside.deleteFile(name);
          } else if (!inside.deleteIfEmpty(name)) { // to move it one must be able to write into it
            inside.move(name, top, Path.of(UUID.randomUUID().toString()));
          }
        });
      }
      top.deleteDirectory(entry);
    } catch (NoSuchFileException | NotDirectoryException changed) {
      return; // somebody still works there: what is left is found at the next look
    }
  }
}
