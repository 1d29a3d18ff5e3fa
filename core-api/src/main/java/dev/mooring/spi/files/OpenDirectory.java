package dev.mooring.spi.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
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
 * An open directory. Operations apply to this directory even if another process renames or replaces
 * its path. Links are never followed. Not thread-safe; its entries can be iterated only once.
 */
final class OpenDirectory implements Closeable {
  interface EntryAction {
    void visit(Path name) throws IOException, InterruptedException;
  }

  private static final Path ITSELF = Path.of(".");
  private static final Path PARENT = Path.of("..");
  private static final int MAX_ATTEMPTS = 10;

  private final SecureDirectoryStream<Path> stream;

  private OpenDirectory(SecureDirectoryStream<Path> stream) {
    this.stream = stream;
  }

  /**
   * Opens nested directories, starting at the root.
   *
   * @param root links in its path are followed
   * @throws NotDirectoryException if a name is not a directory
   */
  static OpenDirectory of(Path root, List<Path> names) throws IOException {
    OpenDirectory current = openRoot(root);
    int start = 0;
    int end = 1;
    while (start < names.size()) {
      try {
        OpenDirectory child =
            end - start == 1
                ? current.enter(names.get(start))
                : current.enterBehind(names.subList(start, end));
        current.close();
        current = child;
        start = end;
        end++;
      } catch (AccessDeniedException e) {
        end++; // the process may lack read access but have search access
        if (end > names.size()) {
          current.close();
          throw e;
        }
      } catch (IOException e) {
        current.close();
        throw e;
      }
    }
    return current;
  }

  /**
   * Opens a directory behind parents that the process can search but not read. The system follows
   * links among these parents. Therefore the path is verified afterwards from the open directory
   * upwards, where no link can occur.
   */
  private OpenDirectory enterBehind(List<Path> names) throws IOException {
    Path path = ITSELF;
    for (Path name : names) {
      path = path.equals(ITSELF) ? name : path.resolve(name);
      if (!isDirectory(path)) {
        throw new NotDirectoryException(name.toString());
      }
    }
    OpenDirectory entered =
        new OpenDirectory(
            stream.newDirectoryStream(path.resolve(ITSELF), LinkOption.NOFOLLOW_LINKS));
    try {
      entered.verify(names, key());
      return entered;
    } catch (IOException e) {
      entered.close();
      throw e;
    }
  }

  // Fails unless the names lead from the directory with the key start to this one.
  private void verify(List<Path> names, @Nullable Object startKey) throws IOException {
    Path ancestor = ITSELF;
    Object key = key();
    for (Path name : names.reversed()) {
      ancestor = ancestor.resolve(PARENT);
      BasicFileAttributes entry = attributes(ancestor.resolve(name));
      if (!entry.isDirectory()) {
        throw new NotDirectoryException(name.toString());
      }
      if (!Objects.equals(entry.fileKey(), key)) {
        throw replacedConcurrently(name);
      }
      key = attributes(ancestor).fileKey();
    }
    if (!Objects.equals(key, startKey)) {
      throw replacedConcurrently(names.getFirst());
    }
  }

  @SuppressWarnings("unchecked") // streams of the default file system are secure on Linux
  private static OpenDirectory openRoot(Path root) throws IOException {
    if (!Files.readAttributes(root, BasicFileAttributes.class).isDirectory()) {
      throw new NotDirectoryException(root.toString()); // opening a pipe would block
    }
    DirectoryStream<Path> stream = Files.newDirectoryStream(root);
    if (!(stream instanceof SecureDirectoryStream<?>)) {
      stream.close();
      throw new IOException(
          "this platform cannot open directories safely; run the process on Linux");
    }
    return new OpenDirectory((SecureDirectoryStream<Path>) stream);
  }

  /**
   * Opens the directory at a name; another process may replace the entry at any moment.
   *
   * <p>Opens {@code name/.} because opening a pipe would block without reacting to an interrupt;
   * pipes and files have no such entry. The path may lead through a link, so the open directory
   * must have the key of the entry read without following links.
   *
   * @throws NotDirectoryException if the entry is not a directory
   * @throws FileSystemException if the entry was replaced during every attempt
   */
  OpenDirectory enter(Path name) throws IOException {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      OpenDirectory entered = tryEnter(name);
      if (entered != null) {
        return entered;
      }
    }
    throw replacedConcurrently(name);
  }

  // Returns null if a rename replaced the directory between opening and checking it.
  private @Nullable OpenDirectory tryEnter(Path name) throws IOException {
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
        throw new NotDirectoryException(name.toString()); // the entry changed after the check
      }
      throw e;
    }
    boolean isSame = false;
    try {
      BasicFileAttributes entry = attributes(name);
      if (!entry.isDirectory()) {
        throw new NotDirectoryException(name.toString());
      }
      isSame = Objects.equals(entry.fileKey(), entered.key());
    } finally {
      if (!isSame) {
        entered.close();
      }
    }
    return isSame ? entered : null;
  }

  private static FileSystemException replacedConcurrently(Path name) {
    return new FileSystemException(
        name.toString(), null, "another process replaces the directory; retry later");
  }

  private @Nullable Object key() throws IOException {
    return stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
  }

  /** Returns whether an entry exists; a dangling link exists. */
  boolean contains(Path name) throws IOException {
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

  void move(Path name, OpenDirectory target, Path newName) throws IOException {
    stream.move(name, target.stream, newName);
  }

  void deleteFile(Path name) throws IOException {
    stream.deleteFile(name);
  }

  void deleteDirectory(Path name) throws IOException {
    stream.deleteDirectory(name);
  }

  /**
   * Deletes the directory if it is empty, and returns whether it did.
   *
   * @throws IOException also if a file system is mounted on the directory
   */
  boolean deleteIfEmpty(Path name) throws IOException {
    try {
      stream.deleteDirectory(name);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  /** Sets the directory's own mode, independent of the umask. */
  void setMode(Set<PosixFilePermission> mode) throws IOException {
    stream.getFileAttributeView(PosixFileAttributeView.class).setPermissions(mode);
  }

  /**
   * Applies the step to all entries, possibly including entries that are added meanwhile.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  void forEach(EntryAction step) throws IOException, InterruptedException {
    try {
      for (Path entry : stream) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        step.visit(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

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

  List<Path> findByPrefix(String prefix) throws IOException {
    List<Path> matches = new ArrayList<>();
    try {
      for (Path entry : stream) {
        if (entry.getFileName().toString().startsWith(prefix)) {
          matches.add(entry.getFileName());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return matches;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
