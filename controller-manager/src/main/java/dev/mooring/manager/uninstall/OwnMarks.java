package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnMark;
import dev.mooring.csi.DriverExamination;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every mark of ours that an object may have, conditions apart: those that controllers, commands
 * and plugins leave. The one list that {@code uninstall} and docs/annotations.md are made of.
 */
public final class OwnMarks {
  /** On volumes of the NFS plugin, whose name for it this is: nobody sees its classes from here. */
  private static final OwnMark NFS_ON_DELETE =
      OwnMark.annotation(
          Kind.VOLUME,
          "mooring.dev/nfs-on-delete",
          "it says what becomes of the volume's directory, and whoever deletes it has to know");

  private static final List<OwnMark> ALL =
      Stream.concat(
              KnownController.marks().stream(), Stream.of(NFS_ON_DELETE, DriverExamination.ORPHAN))
          .toList();

  private OwnMarks() {}

  /** All of them. */
  public static List<OwnMark> all() {
    return ALL;
  }

  /** Those that stand on objects of the kind. */
  static List<OwnMark> of(Kind<?> kind) {
    return ALL.stream().filter(mark -> mark.kind().equals(kind)).toList();
  }
}
