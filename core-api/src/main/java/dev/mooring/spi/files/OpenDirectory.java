package dev.mooring.spi.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is open: whatever its path leads to meanwhile, what is done to a name in it is
 * done there. Links are never followed. For one thread, which goes through it once at most.
 */
final class OpenDirectory implements Closeable {
  /** What is done with each name. */
  interface Step {
    void on(Path name) throws IOException, InterruptedException;
  }

  private static final Path ITSELF = Path.of(".");

  private final SecureDirectoryStream<Path> stream;

  private OpenDirectory(SecureDirectoryStream<Path> stream) {
    this.stream = stream;
  }

  /**
   * Enters one after another.
   *
   * @param root links on the way to it are followed
   * @throws NotDirectoryException if one of the names is something else
   */
  static OpenDirectory of(Path root, List<Path> names) throws IOException {
    OpenDirectory at = root(root);
    for (Path name : names) {
      OpenDirectory above = at;
      try (above) {
        at = above.enter(name);
      }
    }
    return at;
  }

  @SuppressWarnings("unchecked") // streams of the default file system are secure on Linux
  private static OpenDirectory root(Path root) throws IOException {
    if (!Files.readAttributes(root, BasicFileAttributes.class).isDirectory()) {
      throw new NotDirectoryException(root.toString()); // opening a pipe waits for its other end
    }
    DirectoryStream<Path> stream = Files.newDirectoryStream(root);
    if (!(stream instanceof SecureDirectoryStream<?>)) {
      stream.close();
      throw new IOException("this platform cannot enter directories safely: run it on Linux");
    }
    return new OpenDirectory((SecureDirectoryStream<Path>) stream);
  }

  /**
   * Enters a directory, and nothing else: what is there may be swapped at any moment. Opening a
   * pipe would wait for its other end, and no interrupt ends that, so it is "the directory in it"
   * that is opened, which pipes and files do not have. A link may have led there: what is open must
   * be what is at the name without following any.
   */
  OpenDirectory enter(Path name) throws IOException {
    if (!isDirectory(name)) {
      throw new NotDirectoryException(name.toString());
    }
    OpenDirectory entered;
    try {
      entered =
          new OpenDirectory(
              stream.newDirectoryStream(name.resolve(ITSELF), LinkOption.NOFOLLOW_LINKS));
    } catch (FileSystemException e) {
      if (!isDirectory(name)) {
        throw new NotDirectoryException(name.toString()); // it was swapped this moment
      }
      throw e;
    }
    try {
      BasicFileAttributes there = attributes(name);
      if (!there.isDirectory() || !Objects.equals(there.fileKey(), entered.key())) {
        throw new NotDirectoryException(name.toString());
      }
      return entered;
    } catch (IOException e) {
      entered.close();
      throw e;
    }
  }

  private @Nullable Object key() throws IOException {
    return stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
  }

  /** Whether anything is there, a link included. */
  boolean has(Path name) throws IOException {
    try {
      attributes(name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  boolean isDirectory(Path name) throws IOException {
    return attributes(name).isDirectory();
  }

  BasicFileAttributes attributes(Path name) throws IOException {
    return stream
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  void move(Path name, OpenDirectory to, Path newName) throws IOException {
    stream.move(name, to.stream, newName);
  }

  void deleteFile(Path name) throws IOException {
    stream.deleteFile(name);
  }

  void deleteDirectory(Path name) throws IOException {
    stream.deleteDirectory(name);
  }

  /**
   * Deletes it if it is empty.
   *
   * @return whether it was
   * @throws IOException also if something is mounted on it, whatever is in there
   */
  boolean deleteIfEmpty(Path name) throws IOException {
    try {
      stream.deleteDirectory(name);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  /** Of the directory itself, whatever the umask is. */
  void setMode(Set<PosixFilePermission> mode) throws IOException {
    stream.getFileAttributeView(PosixFileAttributeView.class).setPermissions(mode);
  }

  /**
   * Goes through all names, among them perhaps such as come meanwhile.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  void forEach(Step step) throws IOException, InterruptedException {
    try {
      for (Path entry : stream) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        step.on(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Stops at the first entry that is something else than a directory. */
  boolean hasDirectoriesOnly() throws IOException, InterruptedException {
    try {
      for (Path entry : stream) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (!isDirectory(entry.getFileName())) {
          return false;
        }
      }
      return true;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** The names that begin so. */
  List<Path> startingWith(String prefix) throws IOException {
    List<Path> found = new ArrayList<>();
    try {
      for (Path entry : stream) {
        if (entry.getFileName().toString().startsWith(prefix)) {
          found.add(entry.getFileName());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
