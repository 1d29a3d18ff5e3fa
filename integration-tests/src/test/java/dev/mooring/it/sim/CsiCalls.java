package dev.mooring.it.sim;

import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a driver is not called more often than the back-off of a failing call allows since
 * the last change.
 */
final class CsiCalls {
  private static final long SECOND = 1_000_000_000L;

  private record Key(Call call, String owner) {}

  private static final class Run {
    private final long since;
    private final long faults; // of the API server by then
    private int calls;

    Run(long since, long faults) {
      this.since = since;
      this.faults = faults;
    }
  }

  private final Map<Key, Run> runs = new HashMap<>();
  private final Map<String, Integer> changes =
      new HashMap<>(); // by owner; the process may learn of them later
  private final boolean bounded;
  private long faults;
  private int calls;

  /**
   * Has counted no calls.
   *
   * @param bounded whether calls are checked: only where nothing but a back-off repeats a call
   */
  CsiCalls(boolean bounded) {
    this.bounded = bounded;
  }

  /** The API server did not answer, so that the caller returns within 15 s. */
  void fault() {
    faults++;
  }

  /** Every owner may be retried at once. */
  void reset() {
    runs.clear();
  }

  /** The process knows of all earlier changes. */
  void allIsTold() {
    runs.clear();
    changes.clear();
  }

  /** The owner's object changed. */
  void touched(String owner) {
    runs.keySet().removeIf(key -> key.owner().equals(owner));
    changes.merge(owner, 1, Integer::sum);
  }

  /** Another client's write to a content ends its back-off. */
  void written(@Nullable Resource before, Resource now) {
    String owner =
        switch (now) {
          case GroupSnapshotContent content -> "groupsnapshot-" + content.group().uid();
          case SnapshotContent content -> "snapshot-" + content.snapshot().uid();
          default -> "";
        };
    if (owner.isEmpty() || before == null) {
      return;
    }
    boolean news =
        before.meta().isBeingDeleted() != now.meta().isBeingDeleted()
            || !before.meta().finalizers().equals(now.meta().finalizers())
            || before.meta().has(GroupSnapshotContent.BEING_DELETED)
                != now.meta().has(GroupSnapshotContent.BEING_DELETED)
            || before.meta().has(SnapshotContent.BEING_DELETED)
                != now.meta().has(SnapshotContent.BEING_DELETED);
    if (news) {
      touched(owner);
    }
  }

  int count() {
    return calls;
  }

  /** Counts a call that ended. */
  void called(Call call, String owner, boolean well, long now) {
    calls++;
    Key key = new Key(call, owner);
    if (well) {
      runs.remove(key);
      return;
    }
    Run run = runs.computeIfAbsent(key, k -> new Run(now, faults));
    run.calls++;
    double passed = (double) (now - run.since) / SECOND;
    double doubled = Math.log(1 + passed) / Math.log(2);
    double looks = passed / 60; // a list of volumes each minute finds differences
    long told = changes.getOrDefault(owner, 0) + faults - run.faults;
    double allowed = 3 + doubled + looks + told; // the first write to the object is a change, too
    FinalState.verify(
        !bounded || run.calls <= allowed,
        call + " of " + owner + " was asked for " + run.calls + " times in " + passed + " s");
  }
}
