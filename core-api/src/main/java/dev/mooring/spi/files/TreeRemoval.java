package dev.mooring.spi.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * Deletes the contents of a directory; links are deleted, not followed. Subdirectories are moved up
 * before their contents are deleted. Therefore at most two directories are open at any depth, and
 * memory does not grow with their number.
 */
final class TreeRemoval {
  private boolean found;

  private TreeRemoval() {}

  /**
   * Repeats until a pass finds no entry.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  static void empty(Path root, List<Path> directory) throws IOException, InterruptedException {
    TreeRemoval pass = new TreeRemoval();
    do {
      pass.found = false;
      try (OpenDirectory top = OpenDirectory.of(root, directory)) {
        top.forEach(entry -> pass.remove(top, entry));
      }
    } while (pass.found);
  }

  private void remove(OpenDirectory top, Path entry) throws IOException, InterruptedException {
    found = true;
    try {
      if (!top.isDirectory(entry)) {
        top.deleteFile(entry);
        return;
      }
      // deleteIfEmpty fails on a mount point, whose contents must stay
      if (top.deleteIfEmpty(entry)) {
        return;
      }
      try (OpenDirectory inside = top.enter(entry)) {
        inside.forEach(name -> {
          if (!inside.isDirectory(name)) {
            inside.deleteFile(name);
          } else if (!inside.deleteIfEmpty(name)) {
            // a move would require write access to the directory
            inside.move(name, top, Path.of(UUID.randomUUID().toString()));
          }
        });
      }
      top.deleteDirectory(entry);
    } catch (NoSuchFileException | NotDirectoryException changed) {
      return; // another process changes the tree; the next pass finds the rest
    }
  }
}
