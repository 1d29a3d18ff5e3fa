package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.TargetChoice;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the target that an attach names. Thread-safe.
 *
 * @param desired pods that use volumes
 * @param volumes PersistentVolumes
 * @param resolve resolves a PersistentVolume; null if it never can be attached
 */
public record AttachTargets(
    DesiredStateOfWorld desired,
    Informer<Volume> volumes,
    Function<Volume, @Nullable AttachTarget> resolve) {
  Optional<AttachTarget> of(VolumeId id, String node) {
    return TargetChoice.choose(desired.uses(id, node), this::isCurrent);
  }

  // A PersistentVolume of that name may have been created again for another storage volume
  private boolean isCurrent(AttachTarget target) {
    return target.isInline()
        || volumes
            .get(ObjectKey.cluster(target.persistentVolume()))
            .map(resolve)
            .filter(now -> now.id().equals(target.id()))
            .isPresent();
  }
}
