package dev.mooring.csi.execute;

import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.csi.state.HealthMemory;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Health monitor of one driver, equivalent to external-health-monitor. Reads the conditions of
 * bound volumes and emits events on their claims when a condition changes. Uses one ListVolumes
 * call if the driver lists volumes, else one call for each volume. Runs on one thread.
 *
 * @param maxEntries maximum number of entries in one answer; 0 for no limit
 */
public record VolumeHealthMonitor(
    DriverSession session,
    SharedInformers informers,
    DriverReporter reporter,
    HealthMemory memory,
    int maxEntries) {
  /**
   * Checks all volumes.
   *
   * @return false if the driver reports no conditions, or is not ready
   */
  public boolean check() {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(DriverCapability.VOLUME_CONDITION)) {
      return false;
    }
    if (identity.get().can(DriverCapability.LIST_VOLUMES)) {
      if (session.call("ListVolumes", c -> c.listConditions(maxEntries))
          instanceof DriverReply.Ok<Map<String, Condition>>(Map<String, Condition> conditions)) {
        checkAll(conditions::get);
      }
      return true;
    }
    if (!identity.get().can(DriverCapability.GET_VOLUME)) {
      return false;
    }
    checkAll(this::getCondition);
    return true;
  }

  private @Nullable Condition getCondition(String handle) {
    return session.call("ControllerGetVolume", c -> c.getCondition(handle))
            instanceof DriverReply.Ok<Condition>(Condition condition)
        ? condition
        : null;
  }

  @FunctionalInterface
  private interface ConditionReader {
    @Nullable Condition read(String handle);
  }

  private void checkAll(ConditionReader source) {
    Set<ObjectKey> checkedVolumes = new HashSet<>();
    for (Volume volume : informers.of(Kind.VOLUME).snapshot().objects()) {
      String handle = volume.source().attribute("volumeHandle");
      boolean isOwnVolume = volume.source().attribute("driver").equals(session.driver());
      if (isOwnVolume
          && !handle.isEmpty()
          && !volume.meta().isBeingDeleted()
          && volume.phase() == VolumePhase.BOUND) {
        check(volume, handle, source);
        checkedVolumes.add(volume.key());
      }
    }
    memory.retainVolumes(checkedVolumes);
  }

  private void check(Volume volume, String handle, ConditionReader source) {
    Condition lastCondition = memory.lastCondition(volume.key(), handle);
    Condition condition = source.read(handle);
    memory.setCondition(
        volume.key(), handle, VolumeHealth.conditionToRemember(lastCondition, condition));
    ClaimRef ref = volume.claimRef();
    Optional<VolumeHealth.HealthEvent> event = VolumeHealth.decideEvent(lastCondition, condition);
    if (ref != null && event.isPresent()) {
      informers
          .of(Kind.CLAIM)
          .get(ref.claim())
          .filter(claim -> ref.isFor(claim.key(), claim.meta().uid()))
          .ifPresent(claim -> reporter.emitHealth(claim, event.get()));
    }
  }
}
