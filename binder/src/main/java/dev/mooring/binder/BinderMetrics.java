package dev.mooring.binder;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.execute.BinderReporter;
import dev.mooring.binder.execute.BinderStats;
import dev.mooring.model.Claim;
import dev.mooring.operation.OperationStats;
import java.util.HashMap;
import java.util.Map;

/** What the binder counts, under Kubernetes' names (spec/binder.md 8.2). Thread-safe. */
public final class BinderMetrics {
  /**
   * A plugin and what it was asked to do.
   *
   * @param plugin its name
   * @param operation {@code provision} or {@code delete}
   */
  public record Failing(String plugin, String operation) {}

  private final BinderStats stats;
  private final BinderReporter reporter;

  BinderMetrics(BinderStats stats, BinderReporter reporter) {
    this.stats = stats;
    this.reporter = reporter;
  }

  /**
   * The code of the reason for which a claim waits, as events and {@code docs/reasons.md} have it;
   * "" if none was told of it yet.
   */
  public String waitsFor(Claim claim) {
    Reason why = reporter.reasonOf(claim.meta());
    return why == Reason.SILENT ? "" : why.code();
  }

  /** The plugins' calls: {@code volume_provision} and {@code volume_delete}. */
  public OperationStats calls() {
    return stats.calls();
  }

  /** Provisioning and deleting from the first attempt to the end, retries included. */
  public OperationStats wholes() {
    return stats.wholes();
  }

  /** Operations that failed. */
  public Map<Failing, Long> errors() {
    Map<Failing, Long> errors = new HashMap<>();
    stats
        .errors()
        .forEach((failing, count) ->
            errors.put(new Failing(failing.plugin(), failing.whole().label()), count));
    return errors;
  }

  /** Claims that were given the default class after they were made. */
  public long defaultedClaims() {
    return stats.defaultedClaims();
  }

  /** Attempts at that which failed. */
  public long failedDefaults() {
    return stats.failedDefaults();
  }
}
