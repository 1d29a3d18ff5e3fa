package dev.mooring.it.sim;

import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How often a driver is asked for the same: no more often than the back-off of what failed allows,
 * since something changed for it the last time.
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
  private final Map<String, Integer> changes = new HashMap<>(); // by owner; told some time later
  private final boolean bounded;
  private long faults;
  private int calls;

  /**
   * None was called.
   *
   * @param bounded whether it is looked at how often: where nothing else brings anybody back
   */
  CsiCalls(boolean bounded) {
    this.bounded = bounded;
  }

  /** The API server gave no answer: who asked comes again within 15 s. */
  void fault() {
    faults++;
  }

  /** Everybody may look again at once. */
  void reset() {
    runs.clear();
  }

  /** Nothing that changed before is still to be told. */
  void allIsTold() {
    runs.clear();
    changes.clear();
  }

  /** Something has changed for that volume. */
  void touched(String owner) {
    runs.keySet().removeIf(key -> key.owner().equals(owner));
    changes.merge(owner, 1, Integer::sum);
  }

  /** Another's write to a content brings it back, and ends the back-off. */
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

  /** It was asked once more. */
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
    double looks = passed / 60; // who lists volumes every minute sees what is not as it should be
    long told = changes.getOrDefault(owner, 0) + faults - run.faults;
    double allowed = 3 + doubled + looks + told; // it begins by writing that it does, which is told
    FinalState.verify(
        !bounded || run.calls <= allowed,
        call + " of " + owner + " was asked for " + run.calls + " times in " + passed + " s");
  }
}
