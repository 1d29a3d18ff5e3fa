package dev.mooring.spi.files;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
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
 * Adds up the sizes below a directory. At most {@link #LEVELS} directories are open at once.
 * Directories below these levels are queued, each with the names of its last levels only.
 */
final class TreeUsage {
  private static final int LEVELS = 64;

  // A path of 4096 bytes, the system's limit, has no more elements.
  private static final int MAX_DEPTH = 2048;

  private static final int MAX_QUEUED = 10_000;
  private static final long MAX_FILES = 100_000_000;

  /**
   * A queued directory.
   *
   * @param base directory that the names are relative to; null for the first one
   * @param names elements below {@code base}
   * @param depth number of levels below the first directory
   */
  private record QueuedDirectory(@Nullable QueuedDirectory base, List<Path> names, int depth) {
    List<Path> path() {
      List<Path> path = new ArrayList<>();
      for (QueuedDirectory ancestor = this; ancestor != null; ancestor = ancestor.base) {
        path.addAll(0, ancestor.names);
      }
      return path;
    }
  }

  private final Path root;
  private final Deque<QueuedDirectory> queue = new ArrayDeque<>();
  private final Deque<Path> path = new ArrayDeque<>(); // from the queued directory on
  private long bytes;
  private long files;
  private long unreadableDirectories;

  private TreeUsage(Path root) {
    this.root = root;
  }

  /**
   * Measures a directory below a root.
   *
   * @throws FileSystemException if there are too many files, or directories too deep
   * @throws InterruptedException if the thread is interrupted
   */
  static Usage of(Path root, List<Path> top) throws IOException, InterruptedException {
    TreeUsage usage = new TreeUsage(root);
    QueuedDirectory topDirectory = new QueuedDirectory(null, top, 0);
    usage.walkQueued(topDirectory);
    while (!usage.queue.isEmpty()) {
      try {
        usage.walkQueued(usage.queue.removeLast());
      } catch (NoSuchFileException | NotDirectoryException changed) {
        continue; // another process deleted it
      }
    }
    return new Usage(usage.bytes, usage.files, usage.unreadableDirectories);
  }

  private void walkQueued(QueuedDirectory start) throws IOException, InterruptedException {
    try (OpenDirectory directory = OpenDirectory.of(root, start.path())) {
      directory.forEach(name -> addEntry(directory, name, start));
    } catch (AccessDeniedException unreadable) {
      unreadableDirectories++;
    }
  }

  private void addEntry(OpenDirectory directory, Path name, QueuedDirectory start)
      throws IOException, InterruptedException {
    BasicFileAttributes file;
    try {
      file = directory.attributes(name);
    } catch (NoSuchFileException e) {
      return; // another process deleted it
    }
    files++;
    if (files > MAX_FILES) {
      throw limitExceeded("has more than " + MAX_FILES + " files");
    }
    if (!file.isDirectory()) {
      bytes += file.size();
    } else if (path.size() + 1 == LEVELS) {
      enqueue(name, start);
    } else {
      walkChild(directory, name, start);
    }
  }

  private void walkChild(OpenDirectory directory, Path name, QueuedDirectory start)
      throws IOException, InterruptedException {
    path.addLast(name);
    try (OpenDirectory child = directory.enter(name)) {
      child.forEach(entry -> addEntry(child, entry, start));
    } catch (AccessDeniedException unreadable) {
      unreadableDirectories++; // another user's private directory
    } catch (NoSuchFileException | NotDirectoryException changed) {
      return; // another process replaced it
    } finally {
      path.removeLast();
    }
  }

  private void enqueue(Path name, QueuedDirectory start) throws IOException {
    int depth = start.depth + LEVELS;
    if (depth > MAX_DEPTH) {
      throw limitExceeded("is more than " + MAX_DEPTH + " directories deep");
    }
    if (queue.size() == MAX_QUEUED) {
      throw limitExceeded("has more than " + MAX_QUEUED + " directories " + depth + " levels deep");
    }
    List<Path> names = new ArrayList<>(path);
    names.add(name);
    queue.add(new QueuedDirectory(start, List.copyOf(names), depth));
  }

  private FileSystemException limitExceeded(String problem) {
    return new FileSystemException(root.toString(), null, "a volume in it " + problem);
  }
}
