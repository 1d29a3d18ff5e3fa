package dev.mooring.plugin.localpath;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The directories below a base path. Each is entered by name from the open one above it, without
 * following links, so that nobody who swaps a directory for a link leads anything out of the base
 * path or into another volume. Thread-safe.
 */
final class DirectoryTree {
  private static final Set<PosixFilePermission> VOLUME =
      PosixFilePermissions.fromString("rwxrwxrwx");
  private static final Set<PosixFilePermission> PASSAGE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path base;

  /** Below that directory, which is the administrator's: links on the way to it are followed. */
  DirectoryTree(Path base) {
    this.base = base;
  }

  /** Whether the base path is a directory here. */
  boolean isThere() {
    return Files.isDirectory(base);
  }

  /**
   * Makes a volume's directory, and those that lead to it; one that is there already is left as it
   * is. May be repeated.
   *
   * @param volume the volume's name: two tries for it leave no more than one draft
   * @throws NotDirectoryException if something else is there, or on the way
   */
  void make(RelativePath path, String volume) throws IOException {
    UUID id = UUID.nameUUIDFromBytes(volume.getBytes(StandardCharsets.UTF_8));
    for (int depth = 1; depth <= path.elements().size(); depth++) {
      RelativePath one = new RelativePath(path.elements().subList(0, depth));
      makeOne(one, RelativePath.DRAFT + id, depth == path.elements().size() ? VOLUME : PASSAGE);
    }
  }

  private void makeOne(RelativePath path, String draft, Set<PosixFilePermission> mode)
      throws IOException {
    try (SecureDirectoryStream<Path> parent = open(path.parents())) {
      Path name = Path.of(path.name());
      if (!has(parent, name)) {
        Path aside = base.resolve(draft);
        if (!Files.isDirectory(aside, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(aside);
        }
        Files.setPosixFilePermissions(aside, mode); // whatever the umask is
        try (SecureDirectoryStream<Path> from = open(List.of())) {
          from.move(Path.of(draft), parent, name);
        }
      }
      if (!isDirectory(parent, name)) {
        throw new NotDirectoryException(path.toString());
      }
    }
  }

  /**
   * Removes a directory with all that is in it; links in it as links. One that is not there is
   * removed already. Directories are moved up before they are emptied, so that however deep they
   * are, two are open at most.
   *
   * @throws NotDirectoryException if something else is there, or on the way
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  void remove(RelativePath path) throws IOException, InterruptedException {
    if (!exists(path)) {
      return;
    }
    try (SecureDirectoryStream<Path> parent = open(path.parents())) {
      Path name = Path.of(path.name());
      for (List<Path> entries = entries(path); !entries.isEmpty(); entries = entries(path)) {
        try (SecureDirectoryStream<Path> top = open(path.elements())) {
          for (Path entry : entries) {
            removeOne(top, entry);
          }
        }
      }
      parent.deleteDirectory(name);
    }
  }

  /** Whether the directory is there; what leads to it need not be. */
  private boolean exists(RelativePath path) throws IOException {
    try (SecureDirectoryStream<Path> parent = open(path.parents())) {
      if (!isDirectory(parent, Path.of(path.name()))) {
        throw new NotDirectoryException(path.toString());
      }
      return true;
    } catch (NoSuchFileException none) {
      if (!isThere()) {
        throw new IOException(base + " itself is not there", none);
      }
      return false;
    }
  }

  private List<Path> entries(RelativePath path) throws IOException {
    List<Path> names = new ArrayList<>();
    try (SecureDirectoryStream<Path> directory = open(path.elements())) {
      directory.forEach(entry -> names.add(entry.getFileName()));
    }
    return names;
  }

  private static void removeOne(SecureDirectoryStream<Path> top, Path entry)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    try {
      if (!isDirectory(top, entry)) {
        top.deleteFile(entry);
        return;
      }
      try (SecureDirectoryStream<Path> inside =
          top.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS)) {
        for (Path child : inside) {
          Path name = child.getFileName();
          if (isDirectory(inside, name)) {
            inside.move(name, top, Path.of(UUID.randomUUID().toString()));
          } else {
            inside.deleteFile(name);
          }
        }
      }
      top.deleteDirectory(entry);
    } catch (NoSuchFileException faster) {
      return; // somebody still works there: what is left is found at the next look
    }
  }

  @SuppressWarnings("unchecked") // streams of the default file system are secure on Linux
  private SecureDirectoryStream<Path> open(List<String> elements) throws IOException {
    DirectoryStream<Path> at = Files.newDirectoryStream(base);
    if (!(at instanceof SecureDirectoryStream<?>)) {
      at.close();
      throw new IOException("this platform cannot enter directories safely: run it on Linux");
    }
    SecureDirectoryStream<Path> stream = (SecureDirectoryStream<Path>) at;
    for (String element : elements) {
      SecureDirectoryStream<Path> above = stream;
      try (above) {
        stream = enter(above, Path.of(element));
      }
    }
    return stream;
  }

  private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> above, Path name)
      throws IOException {
    try {
      return above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    } catch (FileSystemException e) {
      if (!isDirectory(above, name)) {
        throw new NotDirectoryException(name.toString()); // a link says "too many levels" instead
      }
      throw e;
    }
  }

  private static boolean has(SecureDirectoryStream<Path> directory, Path name) throws IOException {
    try {
      isDirectory(directory, name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }
}
