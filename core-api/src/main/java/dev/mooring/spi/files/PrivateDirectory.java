package dev.mooring.spi.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Directory below a storage root that only this process may use. A process that can write to the
 * root may replace the directory, so one that other users own or can write to is rejected.
 */
final class PrivateDirectory {
  static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final int ROOT_UID = 0;
  private static final int PROCESS_UID = processUid();

  private record Ownership(Object uid, Set<PosixFilePermission> mode) {
    static Ownership of(Path directory) throws IOException {
      return new Ownership(
          Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS),
          Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
    }
  }

  private final Path root;
  private final int processUid;
  private volatile @Nullable Ownership createdOwnership;

  /**
   * Creates a handle; the directory may be absent.
   *
   * @param processUid uid of the process; a file server may map it to another one
   */
  PrivateDirectory(Path root, int processUid) {
    this.root = root;
    this.processUid = processUid;
  }

  static PrivateDirectory forRoot(Path root) {
    return new PrivateDirectory(root, PROCESS_UID);
  }

  // Returns -1 if the platform does not report it.
  private static int processUid() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return -1;
    }
  }

  /**
   * Returns the directory; creates it if it is absent.
   *
   * @throws NotDirectoryException if a link or another non-directory is in its place
   * @throws FileSystemException if its owner or mode differs from that of a directory that this
   *     process creates
   */
  Path findOrCreate() throws IOException {
    Path directory = root.resolve(RelativePath.PRIVATE);
    createIfAbsent(directory);
    Ownership ownership = Ownership.of(directory);
    if (!ownership.equals(new Ownership(processUid, OWNER_ONLY.value()))
        && !ownership.equals(createdOwnership())) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "has uid %s and mode %s, unlike directories that this process creates, so another user may have created it: check its contents, then make this process the owner (chown) with exclusive access (chmod 0700)"
              .formatted(ownership.uid(), PosixFilePermissions.toString(ownership.mode())));
    }
    return directory;
  }

  /**
   * Fails unless only the process's user and root can change a directory's contents.
   *
   * @throws NotDirectoryException if a link or another non-directory is in its place
   * @throws FileSystemException naming owner, mode and remedy
   */
  static void checkTrusted(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new NotDirectoryException(directory.toString());
    }
    Ownership ownership = Ownership.of(directory);
    boolean trusted =
        (ownership.uid().equals(ROOT_UID) || ownership.uid().equals(PROCESS_UID))
            && Collections.disjoint(ownership.mode(), WRITABLE_BY_OTHERS);
    if (!trusted) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "has uid %s and mode %s, so others can change its contents: check them, then make this process the owner (chown) and the only writer (chmod go-w), or remove it"
              .formatted(ownership.uid(), PosixFilePermissions.toString(ownership.mode())));
    }
  }

  /**
   * Returns the ownership of a directory that this process creates: a file server may map the user
   * or change the mode.
   */
  private Ownership createdOwnership() throws IOException {
    Ownership cached = createdOwnership;
    if (cached == null) {
      Path probe = root.resolve(RelativePath.DRAFT + UUID.randomUUID());
      Files.createDirectory(probe, OWNER_ONLY);
      try {
        cached = Ownership.of(probe);
      } finally {
        Files.delete(probe);
      }
      createdOwnership = cached;
    }
    return Objects.requireNonNull(cached);
  }

  /** Creates the directory, accessible only to the process's user, if it is absent. */
  static void createIfAbsent(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(directory, OWNER_ONLY);
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
          throw new NotDirectoryException(directory.toString());
        }
      }
    }
  }
}
