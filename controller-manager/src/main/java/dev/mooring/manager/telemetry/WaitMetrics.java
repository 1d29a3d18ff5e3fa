package dev.mooring.manager.telemetry;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

final class WaitMetrics implements MetricsSource {
  private static final String UNTOLD = "NotToldYet";

  private final WaitTimes times;
  private final Map<ObjectKey, Claim> waiting = new ConcurrentHashMap<>();
  private final Function<Claim, String> reasons;

  private static final class Waiting {
    private int count;
    private double oldest;

    void add(double age) {
      count++;
      oldest = Math.max(oldest, age);
    }
  }

  WaitMetrics(WaitTimes times, Informer<Claim> claims, Function<Claim, String> reasons) {
    this.times = times;
    this.reasons = reasons;
    claims.addHandler(this::changed);
  }

  private void changed(Change<Claim> change) {
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

  @Override
  public void addTo(MetricFamilies all) {
    MetricFamilies.Histograms waited =
        all.histogram(
            "mooring_wait_duration_seconds",
            "Waiting times of users in seconds, by the timestamps of the objects.",
            WaitTimes.BOUNDS);
    for (OperationStats.Durations one : times.read()) {
      waited.put(
          one.counts(),
          one.sumSeconds(),
          "operation",
          one.sort().operation(),
          "outcome",
          one.sort().succeeded() ? "done" : "given_up",
          "provisioner",
          one.sort().plugin());
    }
    waiting(all);
  }

  private void waiting(MetricFamilies all) {
    Map<String, Waiting> byReason = new TreeMap<>();
    if (times.counts()) {
      for (Claim claim : waiting.values()) {
        String why = reasons.apply(claim);
        byReason
            .computeIfAbsent(why.isEmpty() ? UNTOLD : why, w -> new Waiting())
            .add(times.age(claim.meta()));
      }
    }
    MetricFamilies.Numbers count =
        all.gauge(
            "mooring_claims_waiting",
            "Number of claims without a volume, by their last reported reason.");
    MetricFamilies.Numbers oldest =
        all.gauge(
            "mooring_claims_waiting_oldest_seconds",
            "Age of the oldest of these claims in seconds.");
    byReason.forEach((why, waiting) -> {
      count.put(waiting.count, "reason", why);
      oldest.put(waiting.oldest, "reason", why);
    });
  }
}
