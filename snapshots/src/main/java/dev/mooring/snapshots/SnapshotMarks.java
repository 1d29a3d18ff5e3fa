package dev.mooring.snapshots;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Kind;
import dev.mooring.model.SnapshotContent;
import dev.mooring.storage.decide.Condemnation;
import java.util.List;

/** Annotations of contents whose snapshot is gone, for other components that read them. */
public final class SnapshotMarks {
  public static final OwnedKey CONDEMNED_UNTIL =
      OwnedKey.annotation(
          Kind.SNAPSHOT_CONTENT,
          Condemnation.UNTIL,
          "it states how long the content's data outlives its snapshot");

  public static final List<OwnedKey> OWN =
      List.of(
          CONDEMNED_UNTIL,
          ofCondemnation(Condemnation.SINCE),
          ofCondemnation(Condemnation.SNAPSHOT_UID),
          ofCondemnation(Condemnation.SNAPSHOT_MANIFEST));

  private SnapshotMarks() {}

  private static OwnedKey ofCondemnation(String annotation) {
    return OwnedKey.annotation(
        Kind.SNAPSHOT_CONTENT, annotation, "it describes the deleted snapshot for 'mooring undo'");
  }

  public static boolean isCondemned(SnapshotContent content) {
    return Condemnation.isCondemned(content);
  }
}
