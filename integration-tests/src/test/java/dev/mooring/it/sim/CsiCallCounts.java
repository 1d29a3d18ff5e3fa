package dev.mooring.it.sim;

import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariant: a failing call to the CSI driver is repeated only as often as its back-off allows. A
 * change of the object, a failed request to the API server and a listing of volumes each allow one
 * more call.
 */
final class CsiCallCounts {
  private static final long SECOND = 1_000_000_000L;

  private record CallKey(Call call, String owner) {}

  private static final class FailedCalls {
    private final long startNanos;
    private final long faults; // failed requests to the API server at the first call
    private int calls;

    FailedCalls(long startNanos, long faults) {
      this.startNanos = startNanos;
      this.faults = faults;
    }
  }

  private final Map<CallKey, FailedCalls> runs = new HashMap<>();
  // by owner; their watch events may arrive later
  private final Map<String, Integer> changes = new HashMap<>();
  private final boolean bounded;
  private long faults;

  /**
   * Creates the counter.
   *
   * @param bounded whether to check the number of calls; false in modes where other faults requeue
   *     objects
   */
  CsiCallCounts(boolean bounded) {
    this.bounded = bounded;
  }

  /**
   * Called when a request to the API server failed. The controller retries within 15 s, which may
   * repeat a call.
   */
  void onServerFault() {
    faults++;
  }

  /** Forgets all failures, since all objects may be requeued. */
  void reset() {
    runs.clear();
  }

  /** Forgets all failures and changes. Called when all watch events have been delivered. */
  void onAllEventsDelivered() {
    runs.clear();
    changes.clear();
  }

  /** Called when a volume or snapshot changed, which ends its back-off. */
  void onChange(String owner) {
    runs.keySet().removeIf(key -> key.owner().equals(owner));
    changes.merge(owner, 1, Integer::sum);
  }

  /**
   * Called with every write of a process. Another controller's write to a content requeues it and
   * ends its back-off.
   */
  void onWrite(@Nullable Resource previous, Resource now) {
    String owner =
        switch (now) {
          case GroupSnapshotContent content -> "groupsnapshot-" + content.group().uid();
          case SnapshotContent content -> "snapshot-" + content.snapshot().uid();
          default -> "";
        };
    if (owner.isEmpty() || previous == null) {
      return;
    }
    boolean isRelevant =
        previous.meta().isBeingDeleted() != now.meta().isBeingDeleted()
            || !previous.meta().finalizers().equals(now.meta().finalizers())
            || previous.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED)
                != now.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED)
            || previous.meta().hasAnnotation(SnapshotContent.BEING_DELETED)
                != now.meta().hasAnnotation(SnapshotContent.BEING_DELETED);
    if (isRelevant) {
      onChange(owner);
    }
  }

  /** Counts a call and checks the invariant. */
  void onCall(Call call, String owner, boolean succeeded, long now) {
    CallKey key = new CallKey(call, owner);
    if (succeeded) {
      runs.remove(key);
      return;
    }
    FailedCalls run = runs.computeIfAbsent(key, k -> new FailedCalls(now, faults));
    run.calls++;
    double elapsedSeconds = (double) (now - run.startNanos) / SECOND;
    double retries = Math.log(1 + elapsedSeconds) / Math.log(2);
    double listings =
        elapsedSeconds / 60; // a listing of volumes every minute may find a difference
    long events = changes.getOrDefault(owner, 0) + faults - run.faults;
    // 3: the watch event of the record that the controller writes first also requeues the object
    double allowed = 3 + retries + listings + events;
    FinalState.verify(
        !bounded || run.calls <= allowed,
        call + " of " + owner + " was called " + run.calls + " times in " + elapsedSeconds + " s");
  }
}
