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
 * Other volumes that have a directory too, or one in it or around it. Such there are where classes
 * say where directories are. Pure.
 */
final class Neighbours {
  private static final Set<String> TYPES = Set.of("hostPath", "local");

  /** Whether a directory may be given to a new volume. */
  sealed interface Verdict {
    /** It may. */
    record Free() implements Verdict {}

    /** Not before another volume is gone. */
    record NotYet(String why) implements Verdict {}

    /** It is another volume's. */
    record Taken(String why) implements Verdict {}
  }

  private Neighbours() {}

  /**
   * Those of a directory.
   *
   * @param except the volume that it is about
   * @param node the node, empty if the directory is on all of them
   */
  static List<Volume> of(
      Directory directory, String except, Optional<Node> node, List<Volume> all) {
    return in(directory.base(), except, node, all).stream()
        .filter(volume ->
            directory
                .base()
                .relative(plain(volume.source().attribute("path")))
                .filter(directory.below()::meets)
                .isPresent())
        .toList();
  }

  /**
   * Those below a base path.
   *
   * @param except the volume that it is about
   * @param node the node, empty if the path is on all of them
   */
  static List<Volume> in(BasePath base, String except, Optional<Node> node, List<Volume> all) {
    return all.stream()
        .filter(volume -> !volume.meta().name().equals(except))
        .filter(volume -> TYPES.contains(volume.source().type()))
        .filter(volume -> node.isEmpty() || volume.nodeAffinity().admits(node.get()))
        .filter(volume -> base.contains(plain(volume.source().attribute("path"))))
        .toList();
  }

  /** As the kubelet takes it: slashes that are too many do not count. */
  private static String plain(String path) {
    return path.replaceAll("/+", "/").replaceAll("/$", "");
  }

  /**
   * Whether a new volume may have the directory: one that an earlier volume of the same claim was
   * left in is taken again, as local-path-provisioner does.
   *
   * @param neighbours those of the directory
   */
  static Verdict mayHave(Directory directory, ObjectKey claim, List<Volume> neighbours) {
    for (Volume other : neighbours) {
      boolean same = directory.path().equals(plain(other.source().attribute("path")));
      ClaimRef ref = other.claimRef();
      if (!same || ref == null || !ref.claim().equals(claim)) {
        return new Verdict.Taken(
            "the directory "
                + directory
                + " is that of "
                + named(other, claim.namespace())
                + ", or one of the two lies in the other: choose another pathPattern, or delete that volume");
      }
      if (other.reclaimPolicy() != ReclaimPolicy.RETAIN) {
        return new Verdict.NotYet(
            "the directory "
                + directory
                + " is still that of volume "
                + other.meta().name()
                + ", which is to be deleted first");
      }
    }
    return new Verdict.Free();
  }

  /** The text becomes an event of a claim in that namespace: it names no one else's volume. */
  private static String named(Volume other, String namespace) {
    ClaimRef ref = other.claimRef();
    return ref == null || ref.isEmpty() || ref.isIn(namespace)
        ? "volume " + other.meta().name()
        : "a volume of another namespace";
  }
}
