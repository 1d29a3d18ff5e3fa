package dev.mooring.plugin.nfs;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/**
 * The directories of an export. Every directory is entered by name from the open one above it,
 * without following links, so that nobody who swaps a directory for a link meanwhile leads anything
 * out of the export. New directories are finished aside and moved to their place; removed ones are
 * moved aside first. Thread-safe.
 */
final class ExportTree {
  /** Who may do what with a new directory. */
  record Access(Set<PosixFilePermission> mode, OptionalInt uid, OptionalInt gid) {}

  private static final Access PASSAGE =
      new Access(
          PosixFilePermissions.fromString("rwxr-xr-x"), OptionalInt.empty(), OptionalInt.empty());
  private static final String NEW = "new";
  private static final String TRASH = "trash";

  private final Path root;

  /** Below that directory, which must exist. */
  ExportTree(Path root) {
    this.root = root;
  }

  /** The plugin's own directory for such things, made if it is missing. */
  Path own(String what) throws IOException {
    Path directory = root.resolve(ExportPath.OWN);
    for (Path each : List.of(directory, directory.resolve(what))) {
      if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
        try {
          Files.createDirectory(
              each,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
          if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(each.toString());
          }
        }
      }
    }
    return directory.resolve(what);
  }

  @SuppressWarnings("unchecked") // streams of the default file system are secure on Linux
  private SecureDirectoryStream<Path> open(List<String> elements) throws IOException {
    DirectoryStream<Path> at = Files.newDirectoryStream(root);
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
      if (!attributes(above, name).isDirectory()) {
        throw new NotDirectoryException(name.toString()); // a link says "too many levels" instead
      }
      throw e;
    }
  }

  private static boolean has(SecureDirectoryStream<Path> directory, String name)
      throws IOException {
    try {
      attributes(directory, Path.of(name));
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** Whether anything is there, a link included. */
  boolean exists(ExportPath path) throws IOException {
    try (SecureDirectoryStream<Path> parent = open(path.parents())) {
      return has(parent, path.name());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Makes a directory, and those that lead to it; one that is there already is left as it is.
   *
   * @throws NotDirectoryException if something else is there, or on the way
   */
  void make(ExportPath path, Access access) throws IOException {
    for (int depth = 1; depth <= path.elements().size(); depth++) {
      List<String> elements = path.elements().subList(0, depth);
      makeOne(new ExportPath(elements), depth == path.elements().size() ? access : PASSAGE);
    }
  }

  private void makeOne(ExportPath path, Access access) throws IOException {
    try (SecureDirectoryStream<Path> parent = open(path.parents())) {
      if (!has(parent, path.name())) {
        String draft = UUID.randomUUID().toString();
        Path aside = own(NEW).resolve(draft);
        Files.createDirectory(aside);
        access.gid().ifPresent(gid -> set(aside, "unix:gid", gid));
        access.uid().ifPresent(uid -> set(aside, "unix:uid", uid));
        Files.setPosixFilePermissions(aside, access.mode()); // whatever the umask is
        try (SecureDirectoryStream<Path> from = open(List.of(ExportPath.OWN, NEW))) {
          from.move(Path.of(draft), parent, Path.of(path.name()));
        } catch (IOException e) {
          Files.deleteIfExists(aside);
          throw e;
        }
      }
      if (!attributes(parent, Path.of(path.name())).isDirectory()) {
        throw new NotDirectoryException(path.toString());
      }
    }
  }

  private static void set(Path path, String attribute, int value) {
    try {
      Files.setAttribute(path, attribute, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Moves a directory to another name at the root, which must be free. */
  void rename(ExportPath path, String name) throws IOException {
    try (SecureDirectoryStream<Path> from = open(path.parents());
        SecureDirectoryStream<Path> to = open(List.of())) {
      if (has(to, name)) {
        throw new FileAlreadyExistsException(name);
      }
      from.move(Path.of(path.name()), to, Path.of(name));
    }
  }

  /** Moves a directory aside, to be removed by {@link #remove}. */
  void discard(ExportPath path, String volume) throws IOException {
    own(TRASH);
    Path aside = own(TRASH).resolve(volume);
    if (!Files.isDirectory(aside, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(aside);
    }
    try (SecureDirectoryStream<Path> from = open(path.parents());
        SecureDirectoryStream<Path> to = open(List.of(ExportPath.OWN, TRASH, volume))) {
      from.move(Path.of(path.name()), to, Path.of(UUID.randomUUID().toString()));
    }
  }

  /**
   * Removes what was moved aside for a volume, if anything. Directories are moved up before they
   * are emptied, so that however deep they are, two are open at most.
   */
  void remove(String volume) throws IOException {
    List<String> trash = List.of(ExportPath.OWN, TRASH, volume);
    if (!Files.isDirectory(own(TRASH).resolve(volume), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (List<Path> entries = entries(trash); !entries.isEmpty(); entries = entries(trash)) {
      try (SecureDirectoryStream<Path> top = open(trash)) {
        for (Path entry : entries) {
          removeOne(top, entry);
        }
      }
    }
    Files.delete(own(TRASH).resolve(volume));
  }

  /**
   * What is below a directory; a file with several names counts for each of them.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  Usage measure(ExportPath path) throws IOException, InterruptedException {
    long bytes = 0;
    long files = 0;
    Deque<List<String>> left = new ArrayDeque<>(List.of(path.elements()));
    while (!left.isEmpty()) {
      List<String> directory = left.removeLast();
      try (SecureDirectoryStream<Path> entries = open(directory)) {
        for (Path entry : entries) {
          BasicFileAttributes file = attributes(entries, entry.getFileName());
          files++;
          if (file.isDirectory()) {
            List<String> below = new ArrayList<>(directory);
            below.add(entry.getFileName().toString());
            left.add(below);
          } else {
            bytes += file.size();
          }
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
        }
      } catch (NoSuchFileException | NotDirectoryException changed) {
        if (directory.equals(path.elements())) {
          throw changed;
        }
      }
    }
    return new Usage(bytes, files);
  }

  private List<Path> entries(List<String> elements) throws IOException {
    List<Path> names = new ArrayList<>();
    try (SecureDirectoryStream<Path> directory = open(elements)) {
      directory.forEach(path -> names.add(path.getFileName()));
    }
    return names;
  }

  private static void removeOne(SecureDirectoryStream<Path> top, Path entry) throws IOException {
    if (!attributes(top, entry).isDirectory()) {
      top.deleteFile(entry);
      return;
    }
    try (SecureDirectoryStream<Path> inside =
        top.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS)) {
      for (Path child : inside) {
        Path name = child.getFileName();
        if (attributes(inside, name).isDirectory()) {
          inside.move(name, top, Path.of(UUID.randomUUID().toString()));
        } else {
          inside.deleteFile(name);
        }
      }
    }
    top.deleteDirectory(entry);
  }
}
