package dev.mooring.plugin.localpath;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds volumes that share a directory with another volume, or lie above or below it. Sharing is
 * possible where a class has a {@code pathPattern}. Pure.
 */
final class SharedDirectories {
  private static final Set<String> TYPES = Set.of("hostPath", "local");

  sealed interface Verdict {
    record Free() implements Verdict {}

    record NotYet(String reason) implements Verdict {}

    record Taken(String reason) implements Verdict {}
  }

  private SharedDirectories() {}

  /**
   * Returns the volumes that use a directory, one above it or one below it.
   *
   * @param excludedVolume name of a volume to leave out
   * @param node node of the directory; empty if the directory is on all nodes
   */
  static List<Volume> findSharing(
      VolumeDirectory directory, String excludedVolume, Optional<Node> node, List<Volume> volumes) {
    return findBelow(directory.base(), excludedVolume, node, volumes).stream()
        .filter(volume ->
            directory
                .base()
                .relativize(normalize(volume.source().attribute("path")))
                .filter(directory.relativePath()::overlaps)
                .isPresent())
        .toList();
  }

  static List<Volume> findBelow(
      BasePath base, String excludedVolume, Optional<Node> node, List<Volume> volumes) {
    return volumes.stream()
        .filter(volume -> !volume.meta().name().equals(excludedVolume))
        .filter(volume -> TYPES.contains(volume.source().type()))
        .filter(volume -> node.isEmpty() || volume.nodeAffinity().admits(node.get()))
        .filter(volume -> base.contains(normalize(volume.source().attribute("path"))))
        .toList();
  }

  // Removes superfluous slashes, as the kubelet does.
  private static String normalize(String path) {
    return path.replaceAll("/+", "/").replaceAll("/$", "");
  }

  /**
   * Decides whether a new volume may use a directory. A directory that an earlier volume of the
   * same claim left behind is reused, as local-path-provisioner does.
   *
   * @param neighbours volumes from {@link #of}
   */
  static Verdict decideUse(VolumeDirectory directory, ObjectKey claim, List<Volume> neighbours) {
    for (Volume neighbour : neighbours) {
      boolean isSameDirectory =
          directory.path().equals(normalize(neighbour.source().attribute("path")));
      ClaimRef ref = neighbour.claimRef();
      if (!isSameDirectory || ref == null || !ref.claim().equals(claim)) {
        return new Verdict.Taken(
            "the directory %s belongs to %s, or one of the two contains the other: choose another pathPattern, or delete that volume"
                .formatted(directory, displayName(neighbour, claim.namespace())));
      }
      if (neighbour.reclaimPolicy() != ReclaimPolicy.RETAIN) {
        return new Verdict.NotYet(
            "the directory %s still belongs to volume %s, which must be deleted first"
                .formatted(directory, neighbour.meta().name()));
      }
    }
    return new Verdict.Free();
  }

  /**
   * Returns the name for an event in a namespace, which must not name volumes of other namespaces.
   */
  private static String displayName(Volume volume, String namespace) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty() || ref.isIn(namespace)
        ? "volume " + volume.meta().name()
        : "a volume of another namespace";
  }
}
