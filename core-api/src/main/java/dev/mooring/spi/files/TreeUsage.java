package dev.mooring.spi.files;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Adds up what is below a directory, one of its directories after the other. */
final class TreeUsage {
  private final Deque<List<Path>> left = new ArrayDeque<>();
  private long bytes;
  private long files;

  private TreeUsage() {}

  /**
   * A link counts with its own size.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  static Usage of(Path root, List<Path> top) throws IOException, InterruptedException {
    TreeUsage usage = new TreeUsage();
    usage.left.add(top);
    while (!usage.left.isEmpty()) {
      List<Path> directory = usage.left.removeLast();
      try (OpenDirectory open = OpenDirectory.of(root, directory)) {
        open.forEach(name -> usage.add(open, directory, name));
      } catch (NoSuchFileException | NotDirectoryException changed) {
        if (directory.equals(top)) {
          throw changed;
        }
      }
    }
    return new Usage(usage.bytes, usage.files);
  }

  private void add(OpenDirectory open, List<Path> directory, Path name) throws IOException {
    BasicFileAttributes file;
    try {
      file = open.attributes(name);
    } catch (NoSuchFileException gone) {
      return; // it is written to meanwhile
    }
    files++;
    if (file.isDirectory()) {
      List<Path> below = new ArrayList<>(directory);
      below.add(name);
      left.add(below);
    } else {
      bytes += file.size();
    }
  }
}
