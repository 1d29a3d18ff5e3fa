package dev.mooring.spi.files;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what is below a directory. Some levels are open at once and none of their directories is
 * remembered. Directories below these levels wait, each with the names of these levels only.
 */
final class TreeUsage {
  /** Maximum number of open directories below the first one. */
  private static final int LEVELS = 64;

  /** A path of 4096 bytes, the system's limit, has no more names. */
  private static final int DEEPEST = 2048;

  private static final int MOST_WAITING = 10_000;
  private static final long MOST_FILES = 100_000_000;

  /**
   * A directory that waits.
   *
   * @param above the directory that the names are relative to; null for the first one
   * @param names from there
   * @param depth how deep it is
   */
  private record Waiting(@Nullable Waiting above, List<Path> names, int depth) {
    List<Path> path() {
      List<Path> path = new ArrayList<>();
      for (Waiting at = this; at != null; at = at.above) {
        path.addAll(0, at.names);
      }
      return path;
    }
  }

  private final Path root;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Deque<Path> way = new ArrayDeque<>(); // from the waiting directory on
  private long bytes;
  private long files;

  private TreeUsage(Path root) {
    this.root = root;
  }

  /**
   * A link counts with its own size.
   *
   * @throws FileSystemException if there are too many files, or directories too deep
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  static Usage of(Path root, List<Path> top) throws IOException, InterruptedException {
    TreeUsage usage = new TreeUsage(root);
    Waiting first = new Waiting(null, top, 0);
    usage.walk(first);
    while (!usage.waiting.isEmpty()) {
      try {
        usage.walk(usage.waiting.removeLast());
      } catch (NoSuchFileException | NotDirectoryException changed) {
        continue; // it is written to meanwhile
      }
    }
    return new Usage(usage.bytes, usage.files);
  }

  private void walk(Waiting from) throws IOException, InterruptedException {
    try (OpenDirectory open = OpenDirectory.of(root, from.path())) {
      open.forEach(name -> add(open, name, from));
    }
  }

  private void add(OpenDirectory open, Path name, Waiting from)
      throws IOException, InterruptedException {
    BasicFileAttributes file;
    try {
      file = open.attributes(name);
    } catch (NoSuchFileException gone) {
      return; // it is written to meanwhile
    }
    files++;
    if (files > MOST_FILES) {
      throw refused("has more than " + MOST_FILES + " files");
    }
    if (!file.isDirectory()) {
      bytes += file.size();
    } else if (way.size() + 1 == LEVELS) {
      waitFor(name, from);
    } else {
      enter(open, name, from);
    }
  }

  private void enter(OpenDirectory open, Path name, Waiting from)
      throws IOException, InterruptedException {
    way.addLast(name);
    try (OpenDirectory inside = open.enter(name)) {
      inside.forEach(below -> add(inside, below, from));
    } catch (NoSuchFileException | NotDirectoryException changed) {
      return; // it is written to meanwhile
    } finally {
      way.removeLast();
    }
  }

  private void waitFor(Path name, Waiting from) throws IOException {
    int depth = from.depth + LEVELS;
    if (depth > DEEPEST) {
      throw refused("is more than " + DEEPEST + " directories deep");
    }
    if (waiting.size() == MOST_WAITING) {
      throw refused("has more than " + MOST_WAITING + " directories " + depth + " levels deep");
    }
    List<Path> names = new ArrayList<>(way);
    names.add(name);
    waiting.add(new Waiting(from, List.copyOf(names), depth));
  }

  private FileSystemException refused(String why) {
    return new FileSystemException(root.toString(), null, "a volume in it " + why);
  }
}
