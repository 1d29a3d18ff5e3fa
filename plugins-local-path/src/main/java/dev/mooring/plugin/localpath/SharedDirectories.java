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

    record NotYet(String why) implements Verdict {}

    record Taken(String why) implements Verdict {}
  }

  private SharedDirectories() {}

  /**
   * Returns the volumes that use a directory, one above it or one below it.
   *
   * @param except name of a volume to leave out
   * @param node node of the directory; empty if the directory is on all nodes
   */
  static List<Volume> of(
      VolumeDirectory directory, String except, Optional<Node> node, List<Volume> all) {
    return in(directory.base(), except, node, all).stream()
        .filter(volume ->
            directory
                .base()
                .relative(plain(volume.source().attribute("path")))
                .filter(directory.below()::overlaps)
                .isPresent())
        .toList();
  }

  static List<Volume> in(BasePath base, String except, Optional<Node> node, List<Volume> all) {
    return all.stream()
        .filter(volume -> !volume.meta().name().equals(except))
        .filter(volume -> TYPES.contains(volume.source().type()))
        .filter(volume -> node.isEmpty() || volume.nodeAffinity().admits(node.get()))
        .filter(volume -> base.contains(plain(volume.source().attribute("path"))))
        .toList();
  }

  // Removes superfluous slashes, as the kubelet does.
  private static String plain(String path) {
    return path.replaceAll("/+", "/").replaceAll("/$", "");
  }

  /**
   * Decides whether a new volume may use a directory. A directory that an earlier volume of the
   * same claim left behind is reused, as local-path-provisioner does.
   *
   * @param neighbours volumes from {@link #of}
   */
  static Verdict mayHave(VolumeDirectory directory, ObjectKey claim, List<Volume> neighbours) {
    for (Volume other : neighbours) {
      boolean same = directory.path().equals(plain(other.source().attribute("path")));
      ClaimRef ref = other.claimRef();
      if (!same || ref == null || !ref.claim().equals(claim)) {
        return new Verdict.Taken(
            "the directory %s belongs to %s, or one of the two contains the other: choose another pathPattern, or delete that volume"
                .formatted(directory, named(other, claim.namespace())));
      }
      if (other.reclaimPolicy() != ReclaimPolicy.RETAIN) {
        return new Verdict.NotYet(
            "the directory %s still belongs to volume %s, which must be deleted first"
                .formatted(directory, other.meta().name()));
      }
    }
    return new Verdict.Free();
  }

  /**
   * Returns the name for an event in a namespace, which must not name volumes of other namespaces.
   */
  private static String named(Volume other, String namespace) {
    ClaimRef ref = other.claimRef();
    return ref == null || ref.isEmpty() || ref.isIn(namespace)
        ? "volume " + other.meta().name()
        : "a volume of another namespace";
  }
}
