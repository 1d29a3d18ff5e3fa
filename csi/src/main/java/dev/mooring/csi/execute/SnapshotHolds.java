package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Holds snapshots while volumes are filled from them, and lets them go. Thread-safe.
 *
 * @param snapshots lists them
 */
public record SnapshotHolds(
    LiveReader reader,
    DriverFinalizers finalizers,
    ListWatch<PartialObject> snapshots,
    DriverReporter reporter) {
  private static final Predicate<WriteResult<?>> FORBIDDEN =
      result -> result instanceof WriteResult.Rejected<?>(int code, String _) && code == 403;

  /**
   * It may not go from now on. Without permission to write snapshots they are not held: volumes are
   * filled from them all the same, as with external-provisioner.
   *
   * @throws NotAsked if it could not be held: nothing is to be filled from it as yet
   */
  void hold(ObjectKey key) throws NotAsked, InterruptedException {
    hold(
        NotAsked.unlessUnknown(reader.read(DataSource.SNAPSHOT, key))
            .orElseThrow(() -> new NotAsked(State.UNCHANGED, "there is no snapshot " + key)));
  }

  private void hold(PartialObject snapshot) throws NotAsked, InterruptedException {
    if (snapshot.meta().finalizers().contains(ContentRules.SNAPSHOT_IN_USE)) {
      return;
    }
    WriteResult<PartialObject> held =
        finalizers.add(DataSource.SNAPSHOT, snapshot, ContentRules.SNAPSHOT_IN_USE);
    if (FORBIDDEN.test(held)) {
      reporter.snapshotsNotHeld(
          "volumes are filled from snapshots that may be deleted meanwhile: " + held);
      return;
    }
    NotAsked.unlessWritten("snapshot " + snapshot.key() + " could not be held", held);
  }

  /** Nothing is filled from it any more: it may go. */
  public Outcome letGo(ObjectKey key) throws InterruptedException {
    return switch (reader.read(DataSource.SNAPSHOT, key)) {
      case ReadResult.Found<PartialObject>(PartialObject found) -> {
        if (!found.meta().finalizers().contains(ContentRules.SNAPSHOT_IN_USE)) {
          yield Outcome.SETTLED;
        }
        WriteResult<PartialObject> released =
            finalizers.remove(DataSource.SNAPSHOT, found, ContentRules.SNAPSHOT_IN_USE);
        if (FORBIDDEN.test(released)) {
          reporter.snapshotsNotHeld(
              "snapshots stay that nothing is filled from any more: " + released);
          yield Outcome.SETTLED; // found again when they are looked through
        }
        yield Outcome.after("letting go of snapshot " + key, released);
      }
      case ReadResult.Absent<PartialObject> _ -> Outcome.SETTLED;
      case ReadResult.Failed<PartialObject>(String message) ->
          areServed()
              ? new Outcome.Unanswered("snapshot " + key + ": " + message)
              : Outcome.SETTLED; // they went with their kind
    };
  }

  /** Where their kind is gone, what is asked for one of them is answered by nothing that counts. */
  private boolean areServed() throws InterruptedException {
    try {
      snapshots.head(1, snapshot -> {});
      return true;
    } catch (ListWatchException e) {
      return e.why() != ListWatchException.Why.NO_SUCH_RESOURCE;
    }
  }

  /** Every snapshot that is held, by whomever; none where they may not be listed, or are none. */
  public ReadResult<List<ObjectKey>> all() throws InterruptedException {
    List<ObjectKey> held = new ArrayList<>();
    try {
      snapshots.list(snapshot -> {
        if (snapshot.meta().finalizers().contains(ContentRules.SNAPSHOT_IN_USE)) {
          held.add(snapshot.key());
        }
      });
      return new ReadResult.Found<>(held);
    } catch (ListWatchException e) {
      boolean answered =
          e.why() == ListWatchException.Why.FORBIDDEN
              || e.why() == ListWatchException.Why.NO_SUCH_RESOURCE;
      if (!answered) {
        return new ReadResult.Failed<>(e.getMessage());
      }
      reporter.snapshotsNotHeld(
          "snapshots are not looked through for those that nothing is filled from: "
              + e.getMessage());
      return new ReadResult.Found<>(List.of());
    }
  }
}
