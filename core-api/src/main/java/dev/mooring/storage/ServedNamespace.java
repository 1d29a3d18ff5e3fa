package dev.mooring.storage;

import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the namespace that a cluster-scoped object serves. A fair queue uses it as the owner of the
 * object's key. It is the namespace of the claim or snapshot in the object's reference, or ""
 * without a reference.
 */
public final class ServedNamespace {
  private ServedNamespace() {}

  /** Of a volume: that of its claim. */
  public static Function<ObjectKey, Object> ofVolumes(Informer<Volume> volumes) {
    return key -> ofClaim(volumes.get(key));
  }

  /** Of an attachment: that of the claim of its volume. */
  public static Function<ObjectKey, Object> ofAttachments(
      Informer<Attachment> attachments, Informer<Volume> volumes) {
    return key ->
        ofClaim(
            attachments
                .get(key)
                .flatMap(attachment -> volumes.get(ObjectKey.cluster(attachment.volumeName()))));
  }

  private static String ofClaim(Optional<Volume> volume) {
    return volume
        .flatMap(known -> Optional.ofNullable(known.claimRef()))
        .map(ClaimRef::claim)
        .map(ObjectKey::namespace)
        .orElse("");
  }

  /** Of a VolumeSnapshotContent: that of its snapshot. */
  public static String of(SnapshotContent content) {
    return content.snapshot().key().namespace();
  }

  /** Of a VolumeGroupSnapshotContent: that of its group. */
  public static String of(GroupSnapshotContent content) {
    return content.group().key().namespace();
  }
}
