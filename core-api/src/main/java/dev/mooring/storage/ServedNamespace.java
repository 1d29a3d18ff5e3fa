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
 * Finds the namespace that a cluster-scoped object serves, as the owner of its key in a fair queue:
 * the namespace of the referenced claim or snapshot; "" without a reference.
 */
public final class ServedNamespace {
  private ServedNamespace() {}

  public static Function<ObjectKey, Object> ofVolumes(Informer<Volume> volumes) {
    return key -> ofClaim(volumes.get(key));
  }

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
        .flatMap(boundVolume -> Optional.ofNullable(boundVolume.claimRef()))
        .map(ClaimRef::claim)
        .map(ObjectKey::namespace)
        .orElse("");
  }

  public static String of(SnapshotContent content) {
    return content.snapshot().key().namespace();
  }

  public static String of(GroupSnapshotContent content) {
    return content.group().key().namespace();
  }
}
