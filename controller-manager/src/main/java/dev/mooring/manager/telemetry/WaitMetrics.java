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
  private static final String NOT_REPORTED = "NotReported";

  private final WaitTimes times;
  private final Map<ObjectKey, Claim> waitingClaims = new ConcurrentHashMap<>();
  private final Function<Claim, String> reasonOf;

  private static final class WaitingClaims {
    private int count;
    private double oldestAge;

    void add(double age) {
      count++;
      oldestAge = Math.max(oldestAge, age);
    }
  }

  WaitMetrics(WaitTimes times, Informer<Claim> claims, Function<Claim, String> reasonOf) {
    this.times = times;
    this.reasonOf = reasonOf;
    claims.addHandler(this::claimChanged);
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> updateWaiting(current);
      case Change.Updated<Claim>(Claim _, Claim current) -> updateWaiting(current);
      case Change.Deleted<Claim>(Claim last, _) -> waitingClaims.remove(last.key());
    }
  }

  private void updateWaiting(Claim claim) {
    switch (claim.phase()) {
      case PENDING, UNSET -> waitingClaims.put(claim.key(), claim);
      case BOUND, LOST -> waitingClaims.remove(claim.key());
    }
  }

  @Override
  public void addTo(MetricFamilies families) {
    MetricFamilies.Histograms waitSeconds =
        families.histogram(
            "mooring_wait_duration_seconds",
            "Waiting times of users in seconds, by the timestamps of the objects.",
            WaitTimes.BOUNDS);
    for (OperationStats.Durations operation : times.read()) {
      waitSeconds.put(
          operation.counts(),
          operation.sumSeconds(),
          "operation",
          operation.labels().operation(),
          "outcome",
          operation.labels().succeeded() ? "done" : "given_up",
          "provisioner",
          operation.labels().plugin());
    }
    addWaitingClaims(families);
  }

  private void addWaitingClaims(MetricFamilies families) {
    Map<String, WaitingClaims> byReason = new TreeMap<>();
    if (times.isLeading()) {
      for (Claim claim : waitingClaims.values()) {
        String reason = reasonOf.apply(claim);
        byReason
            .computeIfAbsent(reason.isEmpty() ? NOT_REPORTED : reason, w -> new WaitingClaims())
            .add(times.age(claim.meta()));
      }
    }
    MetricFamilies.Numbers count =
        families.gauge(
            "mooring_claims_waiting",
            "Number of claims without a volume, by their last reported reason.");
    MetricFamilies.Numbers oldestAge =
        families.gauge(
            "mooring_claims_waiting_oldest_seconds",
            "Age of the oldest of these claims in seconds.");
    byReason.forEach((reason, claims) -> {
      count.put(claims.count, "reason", reason);
      oldestAge.put(claims.oldestAge, "reason", reason);
    });
  }
}
