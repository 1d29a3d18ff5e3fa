package dev.mooring.manager.plugin;

import java.io.IOException;
import java.io.InputStream;
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
 * Private copies of plugin jars. Classes are read lazily, so replacing a jar in use would break its
 * classes. Guarded by the registry's lock.
 */
final class JarStaging {
  private static final System.Logger LOG = System.getLogger(JarStaging.class.getName());
  private static final String PREFIX = "mooring-plugins-";
  private static final String LOCK = "lock";
  private static final int ATTEMPTS = 3;

  private static final String OWN_PREFIX =
      PREFIX
          + ProcessHandle.current().pid()
          + "-"
          + ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L)
          + "-";

  private final Path parent;
  private @Nullable Path directory;
  private @Nullable FileChannel lock;
  private int count;

  JarStaging(Path parent) {
    this.parent = parent;
  }

  // Returns the jars themselves if the copies cannot be written.
  List<Path> copy(List<Path> jars) throws IOException {
    Path folder;
    try {
      folder = newFolder();
    } catch (IOException e) {
      warnUnwritable(e);
      return jars;
    }
    List<Path> copies = new ArrayList<>();
    for (Path jar : jars) {
      Path copy = folder.resolve(jar.getFileName());
      try (InputStream in = Files.newInputStream(jar)) {
        if (!write(in, copy)) {
          removeTree(folder);
          return jars;
        }
      }
      copies.add(copy);
    }
    return copies;
  }

  private boolean write(InputStream in, Path copy) {
    try {
      Files.copy(in, copy);
      return true;
    } catch (IOException e) { // for example, the disk is full
      warnUnwritable(e);
      return false;
    }
  }

  private void warnUnwritable(IOException problem) {
    LOG.log(
        System.Logger.Level.WARNING,
        () ->
            "plugin jars are used in place, because they cannot be copied to directory "
                + parent
                + " ("
                + RootCause.line(problem)
                + "): do not replace a jar while Mooring runs");
  }

  private Path newFolder() throws IOException {
    if (directory == null) {
      directory = claimDirectory();
      removeLeftOvers(Files.getOwner(directory));
    }
    count++;
    return Files.createDirectory(directory.resolve(String.valueOf(count)));
  }

  void remove(List<Path> copies) {
    if (!copies.isEmpty() && directory != null && copies.getFirst().startsWith(directory)) {
      Path folder = copies.getFirst().getParent();
      if (folder != null) {
        removeTree(folder);
      }
    }
  }

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
      LOG.log(System.Logger.Level.DEBUG, "releasing the lock of the copies", e);
    }
  }

  private void removeLeftOvers(UserPrincipal owner) {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path leftOver : directories) {
        if (isPossibleLeftOver(leftOver, owner)) {
          removeUnlessLocked(leftOver);
        }
      }
    } catch (IOException e) { // another starting process may remove them too
      LOG.log(System.Logger.Level.DEBUG, "removing copies of killed processes", e);
    }
  }

  /**
   * Skips this process's own directories. On POSIX a process loses its lock of a file when it
   * closes any channel to that file, even one opened for a check.
   */
  private static boolean isPossibleLeftOver(Path leftOver, UserPrincipal owner) throws IOException {
    return !String.valueOf(leftOver.getFileName()).startsWith(OWN_PREFIX)
        && Files.isDirectory(leftOver, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(leftOver, LinkOption.NOFOLLOW_LINKS).equals(owner);
  }

  /**
   * Removes the directory if its lock is free: a lock ends with its process, whereas a process ID
   * may belong to another container. Holds the lock until the removal is complete, so that no
   * process claims the directory meanwhile.
   */
  private static void removeUnlessLocked(Path leftOver) {
    try (FileChannel channel =
        FileChannel.open(
            leftOver.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock() != null) {
        removeTree(leftOver);
      }
    } catch (IOException
        | OverlappingFileLockException e) { // locked by another process, or by this one
      LOG.log(System.Logger.Level.DEBUG, () -> leftOver + " is in use or being removed", e);
    }
  }

  private Path claimDirectory() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path newDirectory = Files.createTempDirectory(parent, OWN_PREFIX);
      FileChannel channel =
          FileChannel.open(
              newDirectory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        lock = channel;
        return newDirectory;
      }
      channel.close();
    }
    throw new IOException(
        "other processes removed each new directory in " + parent + " before it was locked");
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
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
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
