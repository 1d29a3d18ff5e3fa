package dev.mooring.csi;

import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.csi.execute.DriverReporter;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Health monitor of one driver, equivalent to external-health-monitor. Reads the conditions of
 * bound volumes and emits events on their claims when a condition changes. Uses one ListVolumes
 * call if the driver lists volumes, else one call for each volume. Only its single worker accesses
 * the remembered conditions.
 */
final class HealthController {

  private final DriverSession session;
  private final CsiConfig config;
  private final Informer<Volume> volumes;
  private final Informer<Claim> claims;
  private final DriverReporter reporter;
  private final WorkQueue<String> queue;
  private final Map<ObjectKey, LastCondition> lastConditions = new HashMap<>();

  // Condition of a volume with that handle.
  private record LastCondition(String handle, Condition condition) {}

  HealthController(
      DriverSession session,
      CsiConfig config,
      SharedInformers informers,
      DriverReporter reporter,
      Time time) {
    this.session = session;
    this.config = config;
    this.volumes = informers.of(Kind.VOLUME);
    this.claims = informers.of(Kind.CLAIM);
    this.reporter = reporter;
    this.queue = new WorkQueue<>("csi-health-" + session.driver(), time);
  }

  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .reads(volumes, claims)
        .once(() -> session.onReady(() -> queue.add(session.driver())))
        .loop(queue, this::check, 1)
        .build();
  }

  private Outcome check(String driver) {
    Optional<DriverIdentity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(DriverCapability.VOLUME_CONDITION)) {
      return Outcome.SETTLED; // requeued when the driver is ready again
    }
    if (identity.get().can(DriverCapability.LIST_VOLUMES)) {
      if (session.call("ListVolumes", c -> c.listConditions(config.listing().maxEntries()))
          instanceof DriverReply.Ok<Map<String, Condition>>(Map<String, Condition> all)) {
        checkAll(all::get);
      }
    } else if (identity.get().can(DriverCapability.GET_VOLUME)) {
      checkAll(this::getCondition);
    } else {
      return Outcome.SETTLED;
    }
    return new Outcome.CheckAgain(config.listing().healthPeriod());
  }

  private @Nullable Condition getCondition(String handle) {
    return session.call("ControllerGetVolume", c -> c.getCondition(handle))
            instanceof DriverReply.Ok<Condition>(Condition condition)
        ? condition
        : null;
  }

  @FunctionalInterface
  private interface ConditionReader {
    @Nullable Condition of(String handle);
  }

  private void checkAll(ConditionReader source) {
    Map<ObjectKey, LastCondition> before = new HashMap<>(lastConditions);
    lastConditions.clear(); // drops deleted volumes
    for (Volume volume : volumes.snapshot().all()) {
      String handle = volume.source().attribute("volumeHandle");
      boolean ours = volume.source().attribute("driver").equals(session.driver());
      if (ours
          && !handle.isEmpty()
          && !volume.meta().isBeingDeleted()
          && volume.phase() == VolumePhase.BOUND) {
        LastCondition last = before.get(volume.key());
        check(volume, last != null && last.handle().equals(handle) ? last : null, source);
      }
    }
  }

  private void check(Volume volume, @Nullable LastCondition last, ConditionReader source) {
    String handle = volume.source().attribute("volumeHandle");
    Condition before = last == null ? null : last.condition();
    Condition now = source.of(handle);
    Condition memory = VolumeHealth.nextMemory(before, now);
    if (memory != null) {
      lastConditions.put(volume.key(), new LastCondition(handle, memory));
    }
    ClaimRef ref = volume.claimRef();
    if (ref != null) {
      VolumeHealth.report(before, now)
          .ifPresent(report ->
              claims
                  .get(ref.claim())
                  .filter(claim -> ref.isFor(claim.key(), claim.meta().uid()))
                  .ifPresent(claim -> reporter.health(claim, report)));
    }
  }
}
