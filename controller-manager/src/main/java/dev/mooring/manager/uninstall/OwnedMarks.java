package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.csi.DriverInspection;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Kind;
import java.util.List;
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

  private OwnedMarks() {}

  public static List<OwnedKey> all() {
    return ALL;
  }

  static List<OwnedKey> of(Kind<?> kind) {
    return ALL.stream().filter(mark -> mark.kind().equals(kind)).toList();
  }
}
