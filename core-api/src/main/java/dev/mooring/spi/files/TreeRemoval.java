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
  private boolean hasFoundEntry;

  private TreeRemoval() {}

  /**
   * Repeats until a pass finds no entry.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  static void empty(Path root, List<Path> names) throws IOException, InterruptedException {
    TreeRemoval pass = new TreeRemoval();
    do {
      pass.hasFoundEntry = false;
      try (OpenDirectory directory = OpenDirectory.of(root, names)) {
        directory.forEach(entry -> pass.remove(directory, entry));
      }
    } while (pass.hasFoundEntry);
  }

  private void remove(OpenDirectory directory, Path entry)
      throws IOException, InterruptedException {
    hasFoundEntry = true;
    try {
      if (!directory.isDirectory(entry)) {
        directory.deleteFile(entry);
        return;
      }
      // deleteIfEmpty fails on a mount point, whose contents must stay
      if (directory.deleteIfEmpty(entry)) {
        return;
      }
      try (OpenDirectory child = directory.enter(entry)) {
        child.forEach(name -> {
          if (!child.isDirectory(name)) {
            child.deleteFile(name);
          } else if (!child.deleteIfEmpty(name)) {
            // a move would require write access to the directory
            child.move(name, directory, Path.of(UUID.randomUUID().toString()));
          }
        });
      }
      directory.deleteDirectory(entry);
    } catch (NoSuchFileException | NotDirectoryException changed) {
      return; // another process changes the tree; the next pass finds the rest
    }
  }
}
