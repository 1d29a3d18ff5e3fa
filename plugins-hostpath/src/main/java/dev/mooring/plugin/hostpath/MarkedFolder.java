package dev.mooring.plugin.hostpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.AtomicFiles;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.DirectoryTree.Access;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Directory whose subdirectories are volumes. A mark beside each subdirectory contains the owning
 * volume's name; pods cannot reach it. The mark is written before the volume is created and deleted
 * after it.
 */
final class MarkedFolder {
  private static final Access ACCESS = Access.of("rwxr-x---");
  private static final FileAttribute<Set<PosixFilePermission>> READABLE_BY_ALL =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
  private static final Pattern VOLUME_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  private final Path root;
  private final Path folder;
  private final Path marks;
  private final DirectoryTree tree;

  private MarkedFolder(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
    this.marks = folder.resolve(".mooring");
    this.tree = DirectoryTree.at(folder);
  }

  /** Returns a directory that the administrator configured; it may be a link. */
  static MarkedFolder at(Path configured) {
    Path path = configured.toAbsolutePath().normalize();
    return new MarkedFolder(path, path);
  }

  /** Returns a subdirectory of a root where others may write. A link in its place is rejected. */
  static MarkedFolder below(Path root, String name) {
    Path parent = root.toAbsolutePath().normalize();
    return new MarkedFolder(parent, parent.resolve(name));
  }

  boolean isVolumeDirectory(Path path) {
    return folder.equals(path.getParent()) && !path.equals(marks);
  }

  boolean isSameDirectory(Path directory) throws IOException {
    return Files.exists(folder) && Files.isSameFile(folder, directory);
  }

  /**
   * Returns true if a path is this directory, lies in it or contains it. Does not resolve a link at
   * the path.
   *
   * @param path absolute, without links in its parents
   */
  boolean overlaps(Path path) throws IOException {
    for (Path ancestor = path.getParent(); ancestor != null; ancestor = ancestor.getParent()) {
      if (isSameDirectory(ancestor)) {
        return true;
      }
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      for (Path enclosing = folder; enclosing != null; enclosing = enclosing.getParent()) {
        if (Files.exists(enclosing) && Files.isSameFile(enclosing, path)) {
          return true;
        }
      }
    }
    return false;
  }

  Attempt<String> create(String volume, String name) {
    RelativePath relativePath;
    try {
      relativePath = RelativePath.of(RelativePath.element(name));
    } catch (PathRejectedException e) {
      return Attempt.rejected(
          "volume \"" + volume + "\" cannot have a directory in " + folder + ": " + e.reason());
    }
    Path directory = folder.resolve(name);
    try {
      if (Files.isSymbolicLink(folder) || Files.isSymbolicLink(marks)) {
        return Attempt.rejected(
            folder + " is a symbolic link: remove it; volumes need a real directory");
      }
      Files.createDirectories(marks, READABLE_BY_ALL);
      Optional<String> distrustReason = findDistrustReason();
      if (distrustReason.isPresent()) {
        return Attempt.rejected(distrustReason.get());
      }
      boolean exists = tree.exists(relativePath);
      Optional<String> owner = readOwner(name);
      if (owner.isPresent() ? !owner.get().equals(volume) : exists) {
        return Attempt.rejected(
            "%s is %s: it is not used for volume %s"
                .formatted(
                    directory,
                    owner.isPresent() ? "that of another volume" : "no volume's",
                    volume));
      }
      AtomicFiles.write(marks.resolve(name), volume, marks);
      tree.make(relativePath, ACCESS, volume);
      return Attempt.done(directory.toString());
    } catch (NotDirectoryException e) {
      return Attempt.rejected(directory + " is not a directory");
    } catch (IOException e) {
      // a retry finds the directory by its mark
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + directory + " cannot be created: " + e));
    }
  }

  boolean isDirectoryOf(String volume, Path directory) throws IOException {
    return isVolumeDirectory(directory)
        && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && readOwner(directory.getFileName().toString()).filter(volume::equals).isPresent();
  }

  Attempt<Deleted> delete(String volume, Path directoryName, boolean trustsUnmarked) {
    String name = directoryName.toString();
    Path directory = folder.resolve(directoryName);
    try {
      Optional<String> distrustReason = findDistrustReason();
      if (distrustReason.isPresent()) {
        return Attempt.rejected(distrustReason.get());
      }
      Optional<String> owner = readOwner(name);
      boolean isOwner = owner.map(volume::equals).orElse(trustsUnmarked);
      if (!isOwner && (owner.isPresent() || Files.exists(directory, LinkOption.NOFOLLOW_LINKS))) {
        return Attempt.rejected(
            "%s: volume %s does not delete it; remove it by hand if it is not needed"
                .formatted(
                    directory
                        + owner
                            .map(o -> " belongs to volume " + o)
                            .orElse(" has no mark in " + marks),
                    volume));
      }
      if (root.equals(folder) && !Files.isDirectory(marks)) {
        throw new IOException(marks + " does not exist, and every volume has a mark in it");
      }
      DirectoryTree.at(root).removeAny(RelativePath.below(root, directory));
      Files.deleteIfExists(marks.resolve(name));
      return Attempt.done(new Deleted());
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (NotDirectoryException e) {
      return Attempt.rejected(
          directory + " is not deleted: " + e.getFile() + " on its path is not a directory");
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + directory + " cannot be deleted: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("deleting directory " + directory + " was interrupted"));
    }
  }

  /**
   * Returns the reason not to trust the marks: others can write them. Empty if they are trusted.
   */
  private Optional<String> findDistrustReason() throws IOException {
    try {
      // the administrator controls who may write into a configured directory
      if (!root.equals(folder) && Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        tree.checkRoot();
      }
      if (Files.exists(marks, LinkOption.NOFOLLOW_LINKS)) {
        DirectoryTree.at(marks).checkRoot();
      }
      return Optional.empty();
    } catch (NotDirectoryException e) {
      return Optional.of(e.getFile() + " is not a directory: remove it if it is not needed");
    } catch (FileSystemException e) {
      if (e.getReason() == null) {
        throw e;
      }
      return Optional.of(e.getFile() + " " + e.getReason());
    }
  }

  private Optional<String> readOwner(String name) throws IOException {
    Path mark = marks.resolve(name);
    Optional<String> owner = AtomicFiles.read(mark);
    if (owner.filter(text -> !VOLUME_NAME.matcher(text).matches()).isPresent()) {
      throw new FileSystemException(
          mark.toString(), null, "the mark is damaged: it contains no volume name");
    }
    return owner;
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
