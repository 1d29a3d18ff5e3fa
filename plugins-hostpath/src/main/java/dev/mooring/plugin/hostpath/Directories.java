package dev.mooring.plugin.hostpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** Directories below one root: made, and removed without ever following a link. */
final class Directories {
  private static final FileAttribute<Set<PosixFilePermission>> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

  private final Path root;

  Directories(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /**
   * The volume's directory: the same name gives the same directory, so that a second try finds the
   * first one's.
   */
  Attempt<String> create(String volumeName) {
    UUID id = UUID.nameUUIDFromBytes(volumeName.getBytes(StandardCharsets.UTF_8));
    Path parent = root.resolve("hostpath_pv");
    Path directory = parent.resolve(id.toString());
    try {
      Files.createDirectories(parent);
      if (Files.isSymbolicLink(parent)) {
        return Attempt.rejected(
            parent
                + " is a symbolic link: remove it, volumes are made in a directory of their own");
      }
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(directory, MODE);
      }
      return Attempt.done(directory.toString());
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("directory " + directory + " cannot be made: " + e));
    }
  }

  /** Removes a directory below the root and all that is in it. */
  Attempt<Gone> delete(String path) {
    Path asked = Path.of(path.isEmpty() ? "/" : path);
    if (!asked.isAbsolute()
        || !asked.equals(asked.normalize())
        || !asked.startsWith(root)
        || asked.equals(root)) {
      return Attempt.rejected(
          "host_path deleter only supports " + root + "/.+ but received provided " + path);
    }
    try {
      Path parent = asked.getParent();
      if (parent == null || !Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
        return Attempt.done(new Gone());
      }
      if (!parent.toRealPath().equals(parent.toAbsolutePath())
          && !parent.toRealPath().startsWith(root.toRealPath())) {
        return Attempt.rejected(
            "host_path deleter will not leave "
                + root
                + ": "
                + parent
                + " leads to "
                + parent.toRealPath());
      }
      remove(asked);
      return Attempt.done(new Gone());
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("directory " + path + " cannot be deleted: " + e));
    }
  }

  private static void remove(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
        for (Path child : children) {
          remove(child);
        }
      } catch (NoSuchFileException gone) {
        return;
      }
    }
    Files.deleteIfExists(path);
  }
}
