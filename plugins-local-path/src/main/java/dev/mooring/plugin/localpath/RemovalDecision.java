package dev.mooring.plugin.localpath;

import dev.mooring.model.ObjectKey;
import dev.mooring.spi.Deleter.Request;
import dev.mooring.spi.files.RelativePath;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which directory to remove for a volume, from the PersistentVolume and the configured
 * paths. Pure.
 */
sealed interface RemovalDecision {
  String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  Set<String> TYPES = Set.of("hostPath", "local");

  /** Remove the directory: its name contains the volume's name, so no other volume uses it. */
  record Remove(VolumeDirectory directory) implements RemovalDecision {}

  /** Remove the directory if no other volume uses it, a directory in it or a directory above it. */
  record RemoveIfUnshared(VolumeDirectory directory) implements RemovalDecision {}

  record Reject(String reason) implements RemovalDecision {}

  static RemovalDecision of(Request request, List<BasePath> bases) {
    String type = request.source().type();
    if (!TYPES.contains(type)) {
      return new Reject("its source is \"" + type + "\", not hostPath or local");
    }
    String path = request.source().attribute("path");
    List<BasePath> enclosingBases =
        bases.stream().filter(base -> path.startsWith(base.text() + "/")).toList();
    if (enclosingBases.isEmpty()) {
      return new Reject(
          "its path \"%s\" lies below %s: add the path above it to the configuration, or remove the directory by hand"
              .formatted(
                  path,
                  bases.isEmpty()
                      ? "no path, because the configuration has none for class \"%s\" on the node"
                          .formatted(request.className())
                      : "none of " + bases));
    }
    for (BasePath base : bases) {
      if (base.text().equals(path) || base.text().startsWith(path + "/")) {
        return new Reject("path " + base + " of the configuration lies in \"" + path + "\"");
      }
    }
    RemovalDecision decision =
        new Reject("its path \"" + path + "\" cannot be the path of a volume");
    for (BasePath base : enclosingBases) {
      Optional<RelativePath> relativePath = base.relativize(path);
      if (relativePath.isPresent()) {
        decision = of(request, new VolumeDirectory(base, relativePath.get()));
        if (!(decision instanceof Reject)) {
          return decision;
        }
      }
    }
    return decision;
  }

  /**
   * Decides for a volume that the plugin created below a path that is no longer configured. The
   * directory's name must contain the volume, the namespace and the claim, and the volume must name
   * its provisioner. Empty if the path is configured.
   *
   * @param provisioner plugin name
   */
  static Optional<Remove> ofUnconfiguredPath(
      Request request, List<BasePath> bases, String provisioner) {
    String path = request.source().attribute("path");
    ObjectKey claim = request.claim();
    String creator = request.annotations().getOrDefault(PROVISIONED_BY, "");
    if (claim == null
        || !TYPES.contains(request.source().type())
        || !creator.equals(provisioner)
        || bases.stream().anyMatch(base -> base.contains(path))) {
      return Optional.empty();
    }
    String name = request.volumeName() + "_" + claim.namespace() + "_" + claim.name();
    if (!path.endsWith("/" + name)) {
      return Optional.empty();
    }
    try {
      BasePath base = BasePath.of(path.substring(0, path.length() - name.length() - 1));
      return path.equals(base + "/" + name)
          ? base.relativize(path)
              .map(relativePath -> new Remove(new VolumeDirectory(base, relativePath)))
          : Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }

  private static RemovalDecision of(Request request, VolumeDirectory directory) {
    RelativePath relativePath = directory.relativePath();
    boolean isTopLevel = relativePath.elements().size() == 1;
    if (isTopLevel && relativePath.name().startsWith(request.volumeName() + "_")) {
      return new Remove(directory); // names of volumes, namespaces and claims contain no underscore
    }
    ObjectKey claim = request.claim();
    if (isTopLevel && relativePath.name().equals(request.volumeName())
        || claim != null && relativePath.startsWith(claim.namespace(), claim.name())) {
      return new RemoveIfUnshared(directory);
    }
    return new Reject(
        "its path \"%s\" neither contains the volume's name nor begins with the namespace and name of claim %s: remove the directory by hand if it is not needed"
            .formatted(directory, Objects.toString(claim, "(none)")));
  }
}
