package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.TargetChoice;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an attach of a volume to a node names. Thread-safe.
 *
 * @param desired the pods that use volumes
 * @param volumes the PersistentVolumes
 * @param resolve a PersistentVolume as something to attach; null if it never is
 */
public record AttachTargets(
    DesiredState desired,
    Informer<Volume> volumes,
    Function<Volume, @Nullable AttachTarget> resolve) {
  /** The target for a node; empty if no pod there uses the volume. */
  Optional<AttachTarget> of(VolumeId id, String node) {
    return TargetChoice.choose(desired.uses(id, node), this::isCurrent);
  }

  /** A PersistentVolume of the same name may address another storage volume by now. */
  private boolean isCurrent(AttachTarget target) {
    return target.isInline()
        || volumes
            .get(ObjectKey.cluster(target.persistentVolume()))
            .map(resolve)
            .filter(now -> now.id().equals(target.id()))
            .isPresent();
  }
}
