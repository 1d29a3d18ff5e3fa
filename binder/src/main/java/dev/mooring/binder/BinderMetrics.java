package dev.mooring.binder;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.BinderStats;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.model.Claim;
import dev.mooring.operation.OperationStats;
import java.util.HashMap;
import java.util.Map;

public final class BinderMetrics {
  public record FailedOperations(String plugin, String operation) {}

  private final BinderStats stats;
  private final EventMemory events;

  BinderMetrics(BinderStats stats, EventMemory events) {
    this.stats = stats;
    this.events = events;
  }

  /**
   * Returns the code of the reason for which a claim is pending, as in events and {@code
   * docs/reasons.md}; "" if no event was emitted yet.
   */
  public String pendingReasonCode(Claim claim) {
    Reason reason = events.reasonOf(claim.meta());
    return reason == Reason.SILENT ? "" : reason.code();
  }

  public OperationStats calls() {
    return stats.calls();
  }

  public OperationStats operations() {
    return stats.operations();
  }

  public Map<FailedOperations, Long> errors() {
    Map<FailedOperations, Long> errors = new HashMap<>();
    stats
        .errors()
        .forEach((failing, count) ->
            errors.put(new FailedOperations(failing.plugin(), failing.operation().label()), count));
    return errors;
  }

  public long defaultedClaims() {
    return stats.defaultedClaims();
  }

  public long failedDefaults() {
    return stats.failedDefaults();
  }
}
