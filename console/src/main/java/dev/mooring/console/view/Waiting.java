package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What waits, as it was found last.
 *
 * @param version grows whenever anything was looked at again
 * @param at when that was
 * @param isComplete whether every object was looked at once
 * @param objects why each object that waits does so, the most urgent reason first
 * @param unseen what may not be read, and what that leaves open
 * @param unexplained how many objects could not be explained, because of a mistake that the log has
 * @param outage whether the API server does not answer, so that all of this is old
 */
public record Waiting(
    long version,
    Instant at,
    boolean isComplete,
    Map<Subject, List<Explanation>> objects,
    List<Unseen> unseen,
    int unexplained,
    Optional<Outage> outage) {
  private static final Comparator<Explanation> OLDEST_FIRST =
      Comparator.comparing((Explanation e) -> e.cause().rank())
          .thenComparing(e -> e.since() == 0 ? Long.MAX_VALUE : e.since())
          .thenComparing(e -> e.subject().key());

  public Waiting {
    objects = Map.copyOf(objects);
    unseen = List.copyOf(unseen);
  }

  static Waiting begin(Instant now) {
    return new Waiting(0, now, false, Map.of(), List.of(), 0, Optional.empty());
  }

  /** The same objects, while the API server does not answer, or does again. */
  Waiting during(Optional<Outage> now, long number) {
    return new Waiting(number, at, isComplete, objects, unseen, unexplained, now);
  }

  /** Every reason of every object: the most urgent first, then the oldest. */
  public List<Explanation> inOrder() {
    return objects.values().stream().flatMap(List::stream).sorted(OLDEST_FIRST).toList();
  }

  /** Why an object waits, the most urgent reason first; nothing if it does not. */
  public List<Explanation> of(Subject subject) {
    return objects.getOrDefault(subject, List.of());
  }
}
