package dev.mooring.manager.telemetry;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What users wait for: how long it took, and who waits now and for what. */
final class WaitMetrics {
  private static final String UNTOLD = "NotToldYet";

  private final WaitTimes times;
  private final Map<ObjectKey, Claim> waiting = new ConcurrentHashMap<>();
  private final Function<Claim, String> reasons;

  /** Claims that wait for one reason. */
  private static final class Waiting {
    private int count;
    private double oldest;

    void add(double age) {
      count++;
      oldest = Math.max(oldest, age);
    }
  }

  /**
   * Of these claims.
   *
   * @param reasons the code of the reason for which a claim waits, "" if none was told yet
   */
  WaitMetrics(WaitTimes times, Informer<Claim> claims, Function<Claim, String> reasons) {
    this.times = times;
    this.reasons = reasons;
    claims.addHandler(this::heard);
  }

  private void heard(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> note(now);
      case Change.Updated<Claim>(Claim _, Claim now) -> note(now);
      case Change.Deleted<Claim>(Claim last) -> waiting.remove(last.key());
    }
  }

  private void note(Claim claim) {
    switch (claim.phase()) {
      case PENDING, UNSET -> waiting.put(claim.key(), claim);
      case BOUND, LOST -> waiting.remove(claim.key());
    }
  }

  /** Counts what happens from now on. */
  void listen(Informer<Volume> volumes, Informer<Attachment> attachments) {
    times.listen(volumes, attachments);
  }

  void add(MetricSnapshots.Builder all) {
    HistogramSnapshot.Builder waited =
        HistogramSnapshot.builder()
            .name("mooring_wait_duration_seconds")
            .help("How long users waited, from the times that the objects themselves say.");
    for (OperationStats.Durations one : times.read()) {
      waited.dataPoint(
          Points.histogram(
              Labels.of(
                  "operation",
                  one.sort().operation(),
                  "outcome",
                  one.sort().succeeded() ? "done" : "given_up",
                  "provisioner",
                  one.sort().plugin()),
              WaitTimes.BOUNDS,
              one.counts(),
              one.sumSeconds()));
    }
    all.metricSnapshot(waited.build());
    waiting(all);
  }

  private void waiting(MetricSnapshots.Builder all) {
    Map<String, Waiting> byReason = new TreeMap<>();
    if (times.counts()) {
      for (Claim claim : waiting.values()) {
        String why = reasons.apply(claim);
        byReason
            .computeIfAbsent(why.isEmpty() ? UNTOLD : why, w -> new Waiting())
            .add(times.age(claim.meta()));
      }
    }
    GaugeSnapshot.Builder count =
        GaugeSnapshot.builder()
            .name("mooring_claims_waiting")
            .help("Claims without a volume, by the reason that was told last.");
    GaugeSnapshot.Builder oldest =
        GaugeSnapshot.builder()
            .name("mooring_claims_waiting_oldest_seconds")
            .help("How old the oldest of them is.");
    byReason.forEach((why, waiting) -> {
      Labels labels = Labels.of("reason", why);
      count.dataPoint(Points.gauge(labels, waiting.count));
      oldest.dataPoint(Points.gauge(labels, waiting.oldest));
    });
    all.metricSnapshot(count.build()).metricSnapshot(oldest.build());
  }
}
