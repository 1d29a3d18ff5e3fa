package dev.mooring.plugin.hostpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.UUID;

/**
 * Creates and deletes directories below one root. New volumes get a marked directory in one
 * subdirectory. For other directories Kubernetes' rule applies: everything below the root may be
 * deleted.
 */
final class HostPathDirectories {
  static final String CREATED_BY = "kubernetes.io/createdby";

  static final String HOST_PATH_PROVISIONER = "hostpath-dynamic-provisioner";

  private final Path root;
  private final MarkedFolder volumeFolder;

  HostPathDirectories(Path root) {
    this.root = root.toAbsolutePath().normalize();
    this.volumeFolder = MarkedFolder.below(this.root, "hostpath_pv");
  }

  Attempt<String> create(String volumeName) {
    UUID id = UUID.nameUUIDFromBytes(volumeName.getBytes(StandardCharsets.UTF_8));
    return volumeFolder.create(volumeName, id.toString());
  }

  Attempt<Deleted> delete(Deleter.Request request) {
    if (!request.source().type().equals("hostPath")) {
      // other volume sources also have paths, on other machines
      return Attempt.rejected(
          "failed to create deleter for volume \"%s\": spec.PersistentVolumeSource.HostPath is nil"
              .formatted(request.volumeName()));
    }
    String path = request.source().attribute("path");
    try {
      return deletePath(request, path);
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (NotDirectoryException e) {
      return Attempt.rejected(
          path + " is not deleted: " + e.getFile() + " on its path is not a directory");
    } catch (InvalidPathException e) {
      return Attempt.rejected(
          "host_path deleter cannot have such a path here: %s%s"
              .formatted(
                  e.getMessage(),
                  path.chars().allMatch(c -> c < 0x80)
                      ? ""
                      : "; start the process with LC_ALL=C.UTF-8"));
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + path + " cannot be deleted: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("deleting directory " + path + " was interrupted"));
    }
  }

  Attempt<Boolean> contains(VolumeInventory.Request request) {
    String path = request.source().attribute("path");
    try {
      return Attempt.done(isPresent(Path.of(path)));
    } catch (InvalidPathException | IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("directory " + path + " cannot be read: " + e));
    }
  }

  private Attempt<Deleted> deletePath(Deleter.Request request, String path)
      throws IOException, InterruptedException, PathRejectedException {
    Path directory = Path.of(path.isEmpty() ? "/" : path);
    boolean isBelowRoot =
        directory.isAbsolute()
            && directory.equals(directory.normalize())
            && directory.startsWith(root)
            && !directory.equals(root);
    if (isBelowRoot) {
      return deleteBelowRoot(request, directory);
    }
    return isDeletableInKubernetes(path) && !isPresent(directory)
        ? Attempt.done(new Deleted())
        : Attempt.rejected(
            "host_path deleter only supports " + root + "/.+ but received provided " + path);
  }

  /**
   * Returns true if kube-controller-manager would delete the path; an absent directory succeeds.
   */
  private boolean isDeletableInKubernetes(String path) {
    int rootIndex = path.indexOf(root + "/");
    return rootIndex >= 0 && path.length() > rootIndex + root.toString().length() + 1;
  }

  private static boolean isPresent(Path path) throws IOException {
    try {
      Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * A link in the path may lead to another directory below the root, as in Kubernetes. After
   * resolving it, deletion follows no further link and checks the owner of the resolved directory.
   */
  private Attempt<Deleted> deleteBelowRoot(Deleter.Request request, Path directory)
      throws IOException, InterruptedException, PathRejectedException {
    Path parent = directory.getParent();
    if (parent == null || !isPresent(parent) || !isPresent(directory) && !Files.exists(parent)) {
      return Attempt.done(new Deleted());
    }
    Path realRoot = root.toRealPath();
    Path realParent = parent.toRealPath();
    if (!realParent.startsWith(realRoot) && !isPresent(directory)) {
      return Attempt.done(new Deleted());
    }
    if (!realParent.startsWith(realRoot)) {
      return Attempt.rejected(
          "host_path deleter will not leave " + root + ": " + parent + " leads to " + realParent);
    }
    if (volumeFolder.isSameDirectory(realParent)) {
      // directories that kube-controller-manager created have no mark
      return volumeFolder.delete(
          request.volumeName(),
          directory.getFileName(),
          HOST_PATH_PROVISIONER.equals(request.annotations().get(CREATED_BY)));
    }
    Path realDirectory = realParent.resolve(directory.getFileName());
    if (volumeFolder.overlaps(realDirectory)) {
      return Attempt.rejected(
          "%s contains volumes or lies in one: only directories of %s themselves are deleted; remove it by hand if it is not needed"
              .formatted(directory, volumeFolder));
    }
    DirectoryTree.at(realRoot).removeAny(RelativePath.below(realRoot, realDirectory));
    return Attempt.done(new Deleted());
  }
}
