package dev.mooring.storage.decide;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Annotations of a condemned volume: its claim is gone, and its storage is destroyed at a deadline.
 */
public final class Condemnation {
  /** Annotation of volumes and StorageClasses: overrides {@code --deletion-delay}. */
  public static final String DELAY = "mooring.dev/deletion-delay";

  /** Annotation of a provisioned volume: delay of its class, in case the class is deleted. */
  public static final String CLASS_DELAY = "mooring.dev/class-deletion-delay";

  public static final String UNTIL = "mooring.dev/condemned-until";

  public static final String SINCE = "mooring.dev/condemned-since";

  public static final String CLAIM_UID = "mooring.dev/condemned-claim-uid";

  /** Annotation of a volume: manifest of its deleted claim. Caches drop it. */
  public static final String MANIFEST = "mooring.dev/deleted-claim";

  /** Annotation of a VolumeSnapshotContent: uid of its deleted snapshot. */
  public static final String SNAPSHOT_UID = "mooring.dev/condemned-snapshot-uid";

  /** Annotation of a VolumeSnapshotContent: manifest of its deleted snapshot. Caches drop it. */
  public static final String SNAPSHOT_MANIFEST = "mooring.dev/deleted-snapshot";

  public static final List<String> ANNOTATIONS = List.of(UNTIL, SINCE, CLAIM_UID, MANIFEST);

  private Condemnation() {}

  /** Returns the delay that the class sets for its volumes, as a text; "" if none. */
  public static String delayOf(StorageClass storageClass) {
    Meta meta = storageClass.meta();
    return meta.annotation(DELAY);
  }

  /**
   * Returns whether the volume is condemned. Ignores the annotations of an earlier claim: the
   * volume was bound again since.
   */
  public static boolean isCondemned(Volume volume) {
    return volume.meta().hasAnnotation(UNTIL)
        && volume.meta().annotation(CLAIM_UID).equals(claimUid(volume).toString());
  }

  /** Returns whether the snapshot of the content is gone, and its data waits for a deadline. */
  public static boolean isCondemned(SnapshotContent content) {
    return content.meta().hasAnnotation(UNTIL)
        && content.meta().annotation(SNAPSHOT_UID).equals(content.snapshot().uid().toString());
  }

  public static Uid claimUid(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  /** Returns the deadline of a condemned object; empty if the annotation is no time. */
  public static Optional<Instant> deadline(Resource condemned) {
    return time(condemned, UNTIL);
  }

  /** Returns the time since when a volume is condemned; its deadline if that is unknown. */
  public static Optional<Instant> beginning(Volume volume) {
    return time(volume, SINCE).or(() -> deadline(volume));
  }

  private static Optional<Instant> time(Resource condemned, String annotation) {
    try {
      return Optional.of(Instant.parse(condemned.meta().annotation(annotation)));
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
