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
 * The directory at a root that has what a tree and its plugin keep there. Who may write at the root
 * may put another one in its place: one that others may write into, or have made, is not used.
 */
final class OwnPlace {
  static final FileAttribute<Set<PosixFilePermission>> NOBODY_ELSES =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Set<PosixFilePermission> OTHERS_WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final int ROOT_UID = 0;
  private static final int PROCESS_UID = processUid();

  /** What tells a directory of this process's from others. */
  private record Looks(Object uid, Set<PosixFilePermission> mode) {
    static Looks of(Path directory) throws IOException {
      return new Looks(
          Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS),
          Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
    }
  }

  private final Path root;
  private final int processUid;
  private volatile @Nullable Looks made;

  /**
   * At that root.
   *
   * @param processUid whose the process is; a server may take it for another one
   */
  OwnPlace(Path root, int processUid) {
    this.root = root;
    this.processUid = processUid;
  }

  static OwnPlace at(Path root) {
    return new OwnPlace(root, PROCESS_UID);
  }

  /** -1 if the platform does not say. */
  private static int processUid() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return -1;
    }
  }

  /**
   * The directory, made if it is missing.
   *
   * @throws NotDirectoryException if something else is there, a link say
   * @throws FileSystemException if it is not such as this process makes them
   */
  Path folder() throws IOException {
    Path own = root.resolve(RelativePath.OWN);
    ensure(own);
    Looks looks = Looks.of(own);
    if (!looks.equals(new Looks(processUid, NOBODY_ELSES.value())) && !looks.equals(made())) {
      throw new FileSystemException(
          own.toString(),
          null,
          "is of user "
              + looks.uid()
              + " and mode "
              + PosixFilePermissions.toString(looks.mode())
              + ", as this process makes none, so that somebody else may have put it there: once it is sure that what is in it is right, make it the process's own (chown) and nobody else's (chmod 0700)");
    }
    return own;
  }

  /**
   * Fails unless only the process's user and root can change what is in a directory.
   *
   * @throws NotDirectoryException if something else is there, a link say
   * @throws FileSystemException naming owner, mode and remedy
   */
  static void checkTrusted(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new NotDirectoryException(directory.toString());
    }
    Looks looks = Looks.of(directory);
    boolean trusted =
        (looks.uid().equals(ROOT_UID) || looks.uid().equals(PROCESS_UID))
            && Collections.disjoint(looks.mode(), OTHERS_WRITE);
    if (!trusted) {
      throw new FileSystemException(
          directory.toString(),
          null,
          "is of user "
              + looks.uid()
              + " and mode "
              + PosixFilePermissions.toString(looks.mode())
              + ", so others can change its contents: check them, then make this process the owner (chown) and the only writer (chmod go-w), or remove it");
    }
  }

  /** As a server lets them be that takes this user for another, or has modes of its own. */
  private Looks made() throws IOException {
    Looks known = made;
    if (known == null) {
      Path probe = root.resolve(RelativePath.DRAFT + UUID.randomUUID());
      Files.createDirectory(probe, NOBODY_ELSES);
      try {
        known = Looks.of(probe);
      } finally {
        Files.delete(probe);
      }
      made = known;
    }
    return Objects.requireNonNull(known);
  }

  /** Makes a directory if it is missing, for nobody else to read or write. */
  static void ensure(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createDirectory(directory, NOBODY_ELSES);
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
          throw new NotDirectoryException(directory.toString());
        }
      }
    }
  }
}
