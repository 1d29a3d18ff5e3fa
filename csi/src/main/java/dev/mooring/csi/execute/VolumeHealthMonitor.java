package dev.mooring.csi.execute;

import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.VolumeProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Health monitor of one driver, equivalent to external-health-monitor. Reads the health of bound
 * volumes. A driver of CSI 1.13 reports problems, which the monitor writes to status.healthStatus
 * of the claims (KEP-1432). An older driver reports conditions; the monitor emits events on the
 * claims when a condition changes. One list serves all volumes if the driver has it. Runs on one
 * thread.
 *
 * @param maxEntries maximum number of entries in one answer; 0 for no limit
 */
public record VolumeHealthMonitor(
    DriverSession session, SharedInformers informers, HealthReporter reporter, int maxEntries) {
  /**
   * Checks all volumes.
   *
   * @return false if the driver reports no health, or is not ready
   */
  public boolean check() throws InterruptedException {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty()) {
      return false;
    }
    DriverIdentity driver = identity.get();
    if (driver.can(DriverCapability.LIST_VOLUME_HEALTH)) {
      checkListedHealth(driver.can(DriverCapability.GET_VOLUME_HEALTH));
      return true;
    }
    if (driver.can(DriverCapability.GET_VOLUME_HEALTH)) {
      checkAll((volume, claim, handle) -> reportHealth(volume, claim, getHealth(handle)));
      return true;
    }
    return driver.can(DriverCapability.VOLUME_CONDITION) && checkConditions(driver);
  }

  private void checkListedHealth(boolean canGet) throws InterruptedException {
    if (session.call("ControllerListVolumeHealth", c -> c.listHealth(maxEntries))
        instanceof
        DriverReply.Ok<Map<String, List<VolumeProblem>>>(Map<String, List<VolumeProblem>> listed)) {
      checkAll((volume, claim, handle) -> {
        List<VolumeProblem> problems = listed.get(handle);
        if (problems != null) {
          reportHealth(volume, claim, Optional.of(problems));
        } else if (reporter.hasReported(volume, claim)) {
          reportHealth(volume, claim, confirmRecovery(volume, handle, canGet));
        }
      });
    }
  }

  // the pages of a list are not consistent: a volume that is missing once may still have problems
  private Optional<List<VolumeProblem>> confirmRecovery(
      Volume volume, String handle, boolean canGet) {
    if (canGet) {
      return getHealth(handle);
    }
    return reporter.memory().addAbsent(volume.key()) ? Optional.of(List.of()) : Optional.empty();
  }

  private Optional<List<VolumeProblem>> getHealth(String handle) {
    return session.call("ControllerGetVolumeHealth", c -> c.getHealth(handle))
            instanceof DriverReply.Ok<List<VolumeProblem>>(List<VolumeProblem> problems)
        ? Optional.of(problems)
        : Optional.empty(); // an error is no recovery
  }

  private void reportHealth(Volume volume, Claim claim, Optional<List<VolumeProblem>> problems)
      throws InterruptedException {
    if (problems.isPresent()) {
      reporter.reportHealth(volume, claim, VolumeHealth.makeConditions(problems.get()));
    }
  }

  private boolean checkConditions(DriverIdentity driver) throws InterruptedException {
    if (driver.can(DriverCapability.LIST_VOLUMES)) {
      if (session.call("ListVolumes", c -> c.listConditions(maxEntries))
          instanceof DriverReply.Ok<Map<String, Condition>>(Map<String, Condition> conditions)) {
        checkAll((volume, claim, handle) ->
            reporter.reportCondition(volume, claim, conditions.get(handle)));
      }
      return true;
    }
    if (!driver.can(DriverCapability.GET_VOLUME)) {
      return false;
    }
    checkAll(
        (volume, claim, handle) -> reporter.reportCondition(volume, claim, getCondition(handle)));
    return true;
  }

  private @Nullable Condition getCondition(String handle) {
    return session.call("ControllerGetVolume", c -> c.getCondition(handle))
            instanceof DriverReply.Ok<Condition>(Condition condition)
        ? condition
        : null;
  }

  @FunctionalInterface
  private interface VolumeCheck {
    void check(Volume volume, Claim claim, String handle) throws InterruptedException;
  }

  private void checkAll(VolumeCheck check) throws InterruptedException {
    Set<ObjectKey> checkedVolumes = new HashSet<>();
    for (Volume volume : informers.of(Kind.VOLUME).snapshot().objects()) {
      String handle = volume.source().attribute("volumeHandle");
      Optional<Claim> claim = findClaim(volume);
      if (volume.source().attribute("driver").equals(session.driver())
          && !handle.isEmpty()
          && !volume.meta().isBeingDeleted()
          && volume.phase() == VolumePhase.BOUND
          && claim.isPresent()) {
        check.check(volume, claim.get(), handle);
        checkedVolumes.add(volume.key());
      }
    }
    reporter.memory().retainVolumes(checkedVolumes);
  }

  private Optional<Claim> findClaim(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null
        ? Optional.empty()
        : informers
            .of(Kind.CLAIM)
            .get(ref.claim())
            .filter(claim -> ref.isFor(claim.key(), claim.meta().uid()));
  }
}
