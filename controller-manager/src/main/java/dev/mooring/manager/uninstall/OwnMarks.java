package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnMark;
import dev.mooring.csi.DriverExamination;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.stream.Stream;

/**
 * All marks, except conditions, that controllers, commands and plugins write to objects. Source of
 * {@code uninstall} and of docs/annotations.md.
 */
public final class OwnMarks {
  /** Repeats a name of the NFS plugin, whose classes are not visible here. */
  private static final OwnMark NFS_ON_DELETE =
      OwnMark.annotation(
          Kind.VOLUME,
          "mooring.dev/nfs-on-delete",
          "it determines what happens to the volume's directory on deletion");

  private static final List<OwnMark> ALL =
      Stream.concat(
              KnownController.marks().stream(), Stream.of(NFS_ON_DELETE, DriverExamination.ORPHAN))
          .toList();

  private OwnMarks() {}

  public static List<OwnMark> all() {
    return ALL;
  }

  static List<OwnMark> of(Kind<?> kind) {
    return ALL.stream().filter(mark -> mark.kind().equals(kind)).toList();
  }
}
