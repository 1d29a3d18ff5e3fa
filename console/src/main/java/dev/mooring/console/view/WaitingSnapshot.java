package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Latest snapshot of the waiting objects.
 *
 * @param version increases with every update
 * @param isComplete whether every object was evaluated at least once
 * @param objects explanations of each waiting object, the most urgent first
 * @param unseen what cannot be read, with the consequences
 * @param unexplained number of objects whose explanation threw an exception; the log has details
 * @param outage ongoing outage of the API server, which makes the snapshot stale
 */
public record WaitingSnapshot(
    long version,
    Instant time,
    boolean isComplete,
    Map<SubjectRef, List<Explanation>> objects,
    List<UnreadableKind> unseen,
    int unexplained,
    Optional<ApiServerOutage> outage) {
  private static final Comparator<Explanation> OLDEST_FIRST =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.stateSince() == 0 ? Long.MAX_VALUE : e.stateSince())
          .thenComparing(e -> e.subject().key());

  public WaitingSnapshot {
    objects = Map.copyOf(objects);
    unseen = List.copyOf(unseen);
  }

  static WaitingSnapshot empty(Instant now) {
    return new WaitingSnapshot(0, now, false, Map.of(), List.of(), 0, Optional.empty());
  }

  WaitingSnapshot withOutage(Optional<ApiServerOutage> newOutage, long newVersion) {
    return new WaitingSnapshot(
        newVersion, time, isComplete, objects, unseen, unexplained, newOutage);
  }

  public List<Explanation> sortedExplanations() {
    return objects.values().stream().flatMap(List::stream).sorted(OLDEST_FIRST).toList();
  }

  public List<Explanation> explanations(SubjectRef subject) {
    return objects.getOrDefault(subject, List.of());
  }
}
