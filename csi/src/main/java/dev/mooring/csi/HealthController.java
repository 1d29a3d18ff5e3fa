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
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What external-health-monitor does for one driver: asks it in what condition its bound volumes
 * are, and tells their claims when that changes. A driver that lists its volumes is asked for all
 * at once, another for one after the other. Its one worker alone knows what was seen.
 */
final class HealthController {

  private final DriverSession session;
  private final CsiConfig config;
  private final Informer<Volume> volumes;
  private final Informer<Claim> claims;
  private final DriverReporter reporter;
  private final WorkQueue<String> queue;
  private final Map<ObjectKey, Seen> seen = new HashMap<>();

  /** The condition of the volume that is that one. */
  private record Seen(String handle, Condition condition) {}

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

  /** What it is made of, to be run once. */
  ControllerSpec spec() {
    return ControllerSpec.named(queue.name())
        .reads(volumes, claims)
        .once(() -> session.onReady(() -> queue.add(session.driver())))
        .loop(queue, this::look, 1)
        .build();
  }

  private Outcome look(String driver) {
    Optional<Identity> identity = session.identity();
    if (identity.isEmpty() || !identity.get().can(Ability.VOLUME_CONDITION)) {
      return Outcome.SETTLED; // woken when it is ready, or another
    }
    if (identity.get().can(Ability.LIST_VOLUMES)) {
      if (session.call("ListVolumes", c -> c.conditions(config.listing().maxEntries()))
          instanceof Reply.Ok<Map<String, Condition>>(Map<String, Condition> all)) {
        each(all::get);
      }
    } else if (identity.get().can(Ability.GET_VOLUME)) {
      each(this::ask);
    } else {
      return Outcome.SETTLED;
    }
    return new Outcome.CheckAgain(config.listing().healthPeriod());
  }

  private @Nullable Condition ask(String handle) {
    return session.call("ControllerGetVolume", c -> c.condition(handle))
            instanceof Reply.Ok<Condition>(Condition condition)
        ? condition
        : null;
  }

  /** Says in what condition a volume is; null if that is not known. */
  @FunctionalInterface
  private interface Source {
    @Nullable Condition of(String handle);
  }

  private void each(Source source) {
    Map<ObjectKey, Seen> before = new HashMap<>(seen);
    seen.clear(); // what is gone is forgotten
    for (Volume volume : volumes.snapshot().all()) {
      String handle = volume.source().attribute("volumeHandle");
      boolean ours = volume.source().attribute("driver").equals(session.driver());
      if (ours
          && !handle.isEmpty()
          && !volume.meta().isBeingDeleted()
          && volume.phase() == VolumePhase.BOUND) {
        Seen known = before.get(volume.key());
        look(volume, known != null && known.handle().equals(handle) ? known : null, source);
      }
    }
  }

  private void look(Volume volume, @Nullable Seen known, Source source) {
    String handle = volume.source().attribute("volumeHandle");
    Condition before = known == null ? null : known.condition();
    Condition now = source.of(handle);
    Condition remembered = VolumeHealth.remembered(before, now);
    if (remembered != null) {
      seen.put(volume.key(), new Seen(handle, remembered));
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
