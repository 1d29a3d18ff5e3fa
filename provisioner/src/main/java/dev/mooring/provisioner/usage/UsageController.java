package dev.mooring.provisioner.usage;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.usage.Measurements.Found;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.UsageMeter.Usage;
import dev.mooring.storage.Plugins;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;

/**
 * Measures bound volumes from time to time, one after another, if their plugin can, and tells a
 * claim when its volume holds more than it has, and when it does no longer. Nothing is written
 * while that does not change, and nothing is ever refused to who writes: a soft limit.
 */
public final class UsageController {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "volume-usage";

  /** The claim is told so when its volume holds more than it has. */
  static final String OVER = "VolumeOverSize";

  /** The claim is told so when that is over. */
  static final String WITHIN = "VolumeWithinSize";

  private static final Duration FIRST_RETRY = Duration.ofSeconds(10);

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final ClusterPorts ports;
  private final Plugins plugins;
  private final Duration period;
  private final WorkQueue<ObjectKey> queue;
  private final Measurements found = new Measurements();

  /**
   * A controller that does nothing yet.
   *
   * @param plugins who can measure
   * @param period how often a volume is measured; more than zero
   */
  public UsageController(
      SharedInformers informers, ClusterPorts ports, Plugins plugins, Duration period) {
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.ports = ports;
    this.plugins = plugins;
    this.period = period;
    this.queue =
        new WorkQueue<>(
            NAME,
            ports.time(),
            new Backoff<>(FIRST_RETRY, FIRST_RETRY.compareTo(period) < 0 ? period : FIRST_RETRY));
  }

  /** What it is made of, to be run once. */
  public ControllerSpec spec() {
    return ControllerSpec.named(NAME)
        .reads(claims, volumes)
        .on(volumes, this::watch)
        .loop(queue, this::measure, 1) // one at a time: it reads whole directories
        .build();
  }

  private void watch(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume now) -> queue.add(now.key());
      case Change.Updated<Volume>(Volume before, Volume now) -> {
        boolean other = before.phase() != now.phase() || !before.storage().equals(now.storage());
        if (other) {
          queue.add(now.key());
        }
      }
      case Change.Deleted<Volume>(Volume last) -> {
        queue.forget(last.key());
        found.forget(last.meta().uid());
      }
    }
  }

  private Outcome measure(ObjectKey key) {
    Optional<Volume> known = volumes.snapshot().get(key);
    if (known.isEmpty() || known.get().phase() != VolumePhase.BOUND) {
      known.ifPresent(volume -> found.forget(volume.meta().uid()));
      return Outcome.SETTLED;
    }
    Volume volume = known.get();
    Optional<UsageMeter> meter =
        plugins.supporting(volume.source()).stream()
            .flatMap(plugin -> plugin.usage().stream())
            .findFirst();
    if (meter.isEmpty()) {
      return new Outcome.CheckAgain(period); // a plugin that can may come
    }
    return switch (meter
        .get()
        .measure(new UsageMeter.Request(volume.meta().name(), volume.source()))) {
      case Attempt.Done<Usage>(Usage usage) -> note(volume, usage);
      case Attempt.Failed<Usage>(Failure.Rejected _) -> new Outcome.CheckAgain(period);
      case Attempt.Failed<Usage>(Failure why) -> new Outcome.Retry(why);
    };
  }

  private Outcome note(Volume volume, Usage usage) {
    ClaimRef ref = volume.claimRef();
    if (ref != null) {
      Found now = new Found(ref.claim(), volume.meta().name(), usage, volume.storage());
      if (found.note(volume.meta().uid(), now)) {
        claims
            .snapshot()
            .get(ref.claim())
            .filter(claim -> claim.meta().uid().equals(ref.uid()))
            .ifPresent(claim -> tell(claim, now));
      }
    }
    return new Outcome.CheckAgain(period);
  }

  private void tell(Claim claim, Found now) {
    String holds =
        "volume "
            + now.volume()
            + " holds "
            + now.usage().bytes()
            + " bytes in "
            + now.usage().files()
            + " files, and has "
            + now.capacity();
    ports
        .events()
        .tell(
            now.isOver()
                ? event(
                    claim,
                    ClusterEvent.Type.WARNING,
                    OVER,
                    holds + ": remove files, or let the claim ask for more")
                : event(claim, ClusterEvent.Type.NORMAL, WITHIN, holds));
  }

  private static ClusterEvent event(
      Claim claim, ClusterEvent.Type type, String reason, String note) {
    return new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Measuring", note, NAME);
  }

  /** The latest measurements. */
  public Measurements found() {
    return found;
  }
}
