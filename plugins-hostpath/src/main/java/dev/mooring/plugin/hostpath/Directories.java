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
import java.nio.file.LinkOption;
import java.nio.file.Path;
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
    this.home = new Home(this.root.resolve("hostpath_pv"));
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
    Path asked = Path.of(path.isEmpty() ? "/" : path);
    if (!asked.isAbsolute()
        || !asked.equals(asked.normalize())
        || !asked.startsWith(root)
        || asked.equals(root)) {
      return Attempt.rejected(
          "host_path deleter only supports " + root + "/.+ but received provided " + path);
    }
    if (home.isPlaceOf(asked)) {
      // what kube-controller-manager has made before Mooring came has no mark
      return home.delete(
          request.volumeName(),
          asked,
          HOST_PATH_PROVISIONER.equals(request.annotations().get(CREATED_BY)));
    }
    return deleteAny(asked);
  }

  /**
   * A link on the way may lead to another place below the root, as it may for Kubernetes; once it
   * is known which, none is followed any more.
   */
  private Attempt<Gone> deleteAny(Path asked) {
    try {
      Path parent = asked.getParent();
      if (parent == null || !Files.exists(parent, LinkOption.NOFOLLOW_LINKS)) {
        return Attempt.done(new Gone());
      }
      Path realRoot = root.toRealPath();
      Path realParent = parent.toRealPath();
      if (!realParent.startsWith(realRoot)) {
        return Attempt.rejected(
            "host_path deleter will not leave " + root + ": " + parent + " leads to " + realParent);
      }
      DirectoryTree.at(realRoot)
          .removeAny(RelativePath.below(realRoot, realParent.resolve(asked.getFileName())));
      return Attempt.done(new Gone());
    } catch (PathRefused e) {
      return Attempt.rejected(e.why());
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + asked + " cannot be deleted: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("deleting directory " + asked + " was interrupted"));
    }
  }
}
