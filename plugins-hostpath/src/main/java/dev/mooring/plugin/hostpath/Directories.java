package dev.mooring.plugin.hostpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
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
 * Directories below one root. Those that are made here are in one directory of it and have marks;
 * of the others Kubernetes' rule lets go whatever is below the root.
 */
final class Directories {
  /** Kubernetes' hostPath provisioner writes this on what it has made. */
  static final String CREATED_BY = "kubernetes.io/createdby";

  static final String HOST_PATH_PROVISIONER = "hostpath-dynamic-provisioner";

  private final Path root;
  private final Home home;

  Directories(Path root) {
    this.root = root.toAbsolutePath().normalize();
    this.home = Home.below(this.root, "hostpath_pv");
  }

  /** The volume's directory: the same name gives the same directory. */
  Attempt<String> create(String volumeName) {
    UUID id = UUID.nameUUIDFromBytes(volumeName.getBytes(StandardCharsets.UTF_8));
    return home.create(volumeName, id.toString());
  }

  /** Removes the volume's directory, below the root, and all that is in it. */
  Attempt<Gone> delete(Deleter.Request request) {
    if (!request.source().type().equals("hostPath")) {
      // other sources have paths too, on other machines
      return Attempt.rejected(
          "failed to create deleter for volume \""
              + request.volumeName()
              + "\": spec.PersistentVolumeSource.HostPath is nil");
    }
    String path = request.source().attribute("path");
    try {
      return delete(request, path);
    } catch (PathRefused e) {
      return Attempt.rejected(e.why());
    } catch (NotDirectoryException e) {
      return Attempt.rejected(
          path + " is not deleted: " + e.getFile() + " on the way to it is no directory");
    } catch (InvalidPathException e) {
      return Attempt.rejected(
          "host_path deleter cannot have such a path here: "
              + e.getMessage()
              + (path.chars().allMatch(c -> c < 0x80)
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

  private Attempt<Gone> delete(Deleter.Request request, String path)
      throws IOException, InterruptedException, PathRefused {
    Path asked = Path.of(path.isEmpty() ? "/" : path);
    boolean confined =
        asked.isAbsolute()
            && asked.equals(asked.normalize())
            && asked.startsWith(root)
            && !asked.equals(root);
    if (confined) {
      return delete(request, asked);
    }
    return isOfKubernetesRule(path) && !isThere(asked)
        ? Attempt.done(new Gone())
        : Attempt.rejected(
            "host_path deleter only supports " + root + "/.+ but received provided " + path);
  }

  /** Kubernetes removes what its rule matches; removing what is not there succeeds. */
  private boolean isOfKubernetesRule(String path) {
    int at = path.indexOf(root + "/");
    return at >= 0 && path.length() > at + root.toString().length() + 1;
  }

  private static boolean isThere(Path path) throws IOException {
    try {
      Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * A link on the way may lead to another place below the root, as it may for Kubernetes; once it
   * is known which, none is followed any more, and whose that place is decides.
   */
  private Attempt<Gone> delete(Deleter.Request request, Path asked)
      throws IOException, InterruptedException, PathRefused {
    Path parent = asked.getParent();
    if (parent == null || !isThere(parent) || !isThere(asked) && !Files.exists(parent)) {
      return Attempt.done(new Gone());
    }
    Path realRoot = root.toRealPath();
    Path realParent = parent.toRealPath();
    if (!realParent.startsWith(realRoot) && !isThere(asked)) {
      return Attempt.done(new Gone());
    }
    if (!realParent.startsWith(realRoot)) {
      return Attempt.rejected(
          "host_path deleter will not leave " + root + ": " + parent + " leads to " + realParent);
    }
    if (home.is(realParent)) {
      // what kube-controller-manager has made before Mooring came has no mark
      return home.delete(
          request.volumeName(),
          asked.getFileName(),
          HOST_PATH_PROVISIONER.equals(request.annotations().get(CREATED_BY)));
    }
    Path real = realParent.resolve(asked.getFileName());
    if (home.meets(real)) {
      return Attempt.rejected(
          asked
              + " has volumes in it or lies in one: only directories of "
              + home
              + " themselves are deleted; remove it by hand if it is not needed");
    }
    DirectoryTree.at(realRoot).removeAny(RelativePath.below(realRoot, real));
    return Attempt.done(new Gone());
  }
}
