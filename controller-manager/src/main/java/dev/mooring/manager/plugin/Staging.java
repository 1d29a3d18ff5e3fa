package dev.mooring.manager.plugin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jars that are in use, where nobody replaces them under the program: classes are read from a
 * jar when they are first needed, and one that has become another one meanwhile cannot be read.
 * Confined to the registry's lock.
 */
final class Staging {
  private static final System.Logger LOG = System.getLogger(Staging.class.getName());
  private static final String PREFIX = "mooring-plugins-";
  private static final String LOCK = "lock";
  private static final int ATTEMPTS = 3;

  /** What the directories of this very process are called, whichever object of it made them. */
  private static final String OURS =
      PREFIX
          + ProcessHandle.current().pid()
          + "-"
          + ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L)
          + "-";

  private final Path parent;
  private @Nullable Path directory;
  private @Nullable FileChannel lock;
  private int count;

  /** Copies below that directory, for example the one for temporary files. */
  Staging(Path parent) {
    this.parent = parent;
  }

  /**
   * A copy of them; they themselves where none can be made.
   *
   * @throws IOException if one cannot be read
   */
  List<Path> of(List<Path> jars) throws IOException {
    Path folder;
    try {
      folder = folder();
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          () ->
              "plugin jars are used where they are, since nothing can be written to "
                  + parent
                  + " ("
                  + RootCause.line(e)
                  + "): do not replace one while Mooring runs");
      return jars;
    }
    List<Path> copies = new ArrayList<>();
    for (Path jar : jars) {
      copies.add(Files.copy(jar, folder.resolve(jar.getFileName())));
    }
    return copies;
  }

  private Path folder() throws IOException {
    if (directory == null) {
      directory = claimed();
      removeLeftOvers(Files.getOwner(directory));
    }
    count++;
    return Files.createDirectory(directory.resolve(String.valueOf(count)));
  }

  /** Removes a copy that {@link #of} has made. */
  void remove(List<Path> copies) {
    if (!copies.isEmpty() && directory != null && copies.getFirst().startsWith(directory)) {
      Path folder = copies.getFirst().getParent();
      if (folder != null) {
        removeTree(folder);
      }
    }
  }

  /** Removes all. */
  void close() {
    if (directory != null) {
      removeTree(directory);
      directory = null;
    }
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the lock of the copies", e);
    }
  }

  /** What processes have left that were killed; other users' directories are none of ours. */
  private void removeLeftOvers(UserPrincipal owner) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path left : all) {
        if (mayBeLeftOver(left, owner)) {
          removeUnlessHeld(left);
        }
      }
    } catch (IOException e) { // another one that has just begun may remove them too
      LOG.log(System.Logger.Level.DEBUG, "copies that others have left", e);
    }
  }

  /**
   * Our own are not even looked at: on POSIX systems a process loses its lock of a file as soon as
   * it closes any of its channels to that file, one that it has only opened to look included.
   */
  private static boolean mayBeLeftOver(Path left, UserPrincipal owner) throws IOException {
    return !String.valueOf(left.getFileName()).startsWith(OURS)
        && Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(left, LinkOption.NOFOLLOW_LINKS).equals(owner);
  }

  /**
   * Nobody holds its lock, which ends with the process: ids may be those of another container. The
   * lock is held until all is gone, so that nobody takes the directory in between.
   */
  private static void removeUnlessHeld(Path left) {
    try (FileChannel channel =
        FileChannel.open(left.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock() != null) {
        removeTree(left);
      }
    } catch (IOException | OverlappingFileLockException e) { // of another process, or of this one
      LOG.log(System.Logger.Level.DEBUG, () -> left + " is being made or removed", e);
    }
  }

  /** A directory whose lock is ours; one that somebody takes for left over first is given up. */
  private Path claimed() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path fresh = Files.createTempDirectory(parent, OURS);
      FileChannel channel =
          FileChannel.open(
              fresh.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        lock = channel;
        return fresh;
      }
      channel.close();
    }
    throw new IOException("other processes take each new directory in " + parent + " for theirs");
  }

  private static void removeTree(Path root) {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          () -> "copies of plugin jars in " + root + " cannot be removed: " + RootCause.line(e));
    }
  }
}
