package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.csi.DriverInspection;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Kind;
import dev.mooring.storage.decide.Condemnation;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All annotations, labels and finalizers that only Mooring writes. {@code uninstall} removes them,
 * and docs/annotations.md lists them.
 */
public final class OwnedMarks {
  // Repeats a name of the NFS plugin, whose classes are not visible here.
  private static final OwnedKey NFS_ON_DELETE =
      OwnedKey.annotation(
          Kind.VOLUME,
          "mooring.dev/nfs-on-delete",
          "it determines what happens to the volume's directory on deletion");

  private static final List<OwnedKey> ALL =
      Stream.concat(
              KnownController.marks().stream(), Stream.of(NFS_ON_DELETE, DriverInspection.ORPHAN))
          .toList();

  // Lists drop the manifests. The same write sets both annotations, so one removes both.
  private static final Map<String, String> MANIFESTS =
      Map.of(
          Condemnation.CLAIM_UID,
          Condemnation.MANIFEST,
          Condemnation.SNAPSHOT_UID,
          Condemnation.SNAPSHOT_MANIFEST);

  private OwnedMarks() {}

  static List<String> removedWith(String annotation) {
    return Stream.concat(Stream.of(annotation), Stream.ofNullable(MANIFESTS.get(annotation)))
        .toList();
  }

  public static List<OwnedKey> all() {
    return ALL;
  }

  static List<OwnedKey> of(Kind<?> kind) {
    return ALL.stream().filter(mark -> mark.kind().equals(kind)).toList();
  }
}
