package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import java.time.Instant;
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
  static final WaitingSnapshot NONE = empty(Instant.EPOCH);

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
    return objects.values().stream().flatMap(List::stream).sorted(Explanation.BY_URGENCY).toList();
  }

  int countWaiting(Kind<?> kind) {
    return (int) objects.keySet().stream().filter(s -> s.kind().equals(kind)).count();
  }

  public List<Explanation> explanations(SubjectRef subject) {
    return objects.getOrDefault(subject, List.of());
  }
}
