package dev.mooring.provisioner;

import com.google.inject.Inject;
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
import dev.mooring.provisioner.decide.UsageMeasurement;
import dev.mooring.provisioner.execute.UsageReporter;
import dev.mooring.provisioner.state.UsageMeasurements;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.UsageMeter.Usage;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Measures bound volumes periodically, one at a time, if their plugin supports it. Emits an event
 * when a volume's usage exceeds the capacity, when it no longer does, or when unreadable
 * directories leave it unknown. This limit is soft: writes are never rejected.
 */
public final class UsageController {
  public static final String NAME = "volume-usage";

  public record Config(Duration period) {}

  private static final Duration FIRST_RETRY = Duration.ofSeconds(10);

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final UsageReporter reporter;
  private final LoadedPlugins plugins;
  private final Duration period;
  private final WorkQueue<ObjectKey> queue;
  private final UsageMeasurements measurements = new UsageMeasurements();

  @Inject
  public UsageController(
      SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins, Config config) {
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.reporter = new UsageReporter(ports.events(), NAME);
    this.plugins = plugins;
    this.period = config.period();
    this.queue =
        WorkQueue.fair(
            NAME,
            ports.time(),
            new Backoff<>(FIRST_RETRY, FIRST_RETRY.compareTo(period) < 0 ? period : FIRST_RETRY),
            ServedNamespace.ofVolumes(volumes));
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims, volumes)
        .addHandler(volumes, this::volumeChanged)
        .loop(queue, this::measure, 1) // one worker: a measurement reads whole directories
        .build();
  }

  private void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume current) -> queue.add(current.key());
      case Change.Updated<Volume>(Volume old, Volume current) -> {
        boolean isReplaced = old.isReplacedBy(current);
        if (isReplaced) {
          measurements.forget(old.meta().uid());
        }
        if (isReplaced
            || old.phase() != current.phase()
            || !old.storage().equals(current.storage())) {
          queue.add(current.key());
        }
      }
      case Change.Deleted<Volume>(Volume last, _) -> {
        queue.forget(last.key());
        measurements.forget(last.meta().uid());
      }
    }
  }

  private Outcome measure(ObjectKey key) {
    Optional<Volume> cachedVolume = volumes.get(key);
    if (cachedVolume.isEmpty() || cachedVolume.get().phase() != VolumePhase.BOUND) {
      cachedVolume.ifPresent(volume -> measurements.forget(volume.meta().uid()));
      return Outcome.SETTLED;
    }
    Volume volume = cachedVolume.get();
    Optional<UsageMeter> meter =
        plugins.findSupporting(volume.source()).stream()
            .flatMap(plugin -> plugin.usage().stream())
            .findFirst();
    if (meter.isEmpty()) {
      return new Outcome.CheckAgain(period); // a plugin that measures may be added later
    }
    return switch (meter
        .get()
        .measure(new UsageMeter.Request(volume.meta().name(), volume.source()))) {
      case Attempt.Done<Usage>(Usage usage) -> recordUsage(volume, usage);
      case Attempt.Failed<Usage>(Failure.Rejected _) -> new Outcome.CheckAgain(period);
      case Attempt.Failed<Usage>(Failure failure) -> new Outcome.Retry(failure);
    };
  }

  private Outcome recordUsage(Volume volume, Usage usage) {
    ClaimRef ref = volume.claimRef();
    if (ref != null) {
      UsageMeasurement current =
          new UsageMeasurement(
              ref.claim(),
              volume.meta().name(),
              usage.bytes(),
              usage.files(),
              usage.unreadableDirectories(),
              volume.storage());
      UsageMeasurement.Report report =
          current.reportSince(measurements.replace(volume.meta().uid(), current));
      if (report != UsageMeasurement.Report.NOTHING) {
        claims
            .get(ref.claim())
            .filter(claim -> claim.meta().uid().equals(ref.uid()))
            .ifPresent(claim -> reporter.emitEvent(claim, current, report));
      }
    }
    return new Outcome.CheckAgain(period);
  }

  public List<VolumeUsage> usage() {
    return measurements.listMeasurements().stream()
        .map(measurement ->
            new VolumeUsage(
                measurement.claim(),
                measurement.volume(),
                measurement.bytes(),
                measurement.files(),
                measurement.capacity()))
        .toList();
  }
}
