package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.DataSource;
import dev.mooring.csi.decide.FillSourceRules;
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
 * Protects snapshots with a finalizer while volumes are restored from them. Thread-safe.
 *
 * @param snapshots lists all snapshots
 */
public record SnapshotProtection(
    LiveReader reader,
    DriverFinalizers finalizers,
    ListWatch<PartialObject> snapshots,
    DriverReporter reporter) {
  private static final Predicate<WriteResult<?>> IS_FORBIDDEN =
      result -> result instanceof WriteResult.Rejected<?>(int code, String _) && code == 403;

  /**
   * Adds the finalizer. Without permission to write snapshots it is omitted, as in
   * external-provisioner.
   *
   * @throws RequestNotSent if the finalizer could not be added: no volume may be restored yet
   */
  void protect(ObjectKey key) throws RequestNotSent, InterruptedException {
    protect(
        RequestNotSent.requireAnswer(reader.read(DataSource.SNAPSHOT, key))
            .orElseThrow(() -> new RequestNotSent(State.UNCHANGED, "there is no snapshot " + key)));
  }

  private void protect(PartialObject snapshot) throws RequestNotSent, InterruptedException {
    if (snapshot.meta().finalizers().contains(FillSourceRules.SNAPSHOT_IN_USE)) {
      return;
    }
    WriteResult<PartialObject> result =
        finalizers.add(DataSource.SNAPSHOT, snapshot, FillSourceRules.SNAPSHOT_IN_USE);
    if (IS_FORBIDDEN.test(result)) {
      reporter.logUnprotectedSnapshots(
          "cannot add finalizers to snapshots: a snapshot may be deleted while a volume is restored from it: "
              + result);
      return;
    }
    RequestNotSent.requireWritten("snapshot " + snapshot.key() + " could not be protected", result);
  }

  public Outcome release(ObjectKey key) throws InterruptedException {
    return switch (reader.read(DataSource.SNAPSHOT, key)) {
      case ReadResult.Found<PartialObject>(PartialObject snapshot) -> {
        if (!snapshot.meta().finalizers().contains(FillSourceRules.SNAPSHOT_IN_USE)) {
          yield Outcome.SETTLED;
        }
        WriteResult<PartialObject> result =
            finalizers.remove(DataSource.SNAPSHOT, snapshot, FillSourceRules.SNAPSHOT_IN_USE);
        if (IS_FORBIDDEN.test(result)) {
          reporter.logUnprotectedSnapshots(
              "cannot remove finalizers from snapshots that no volume is restored from: " + result);
          yield Outcome.SETTLED; // the next full check retries
        }
        yield Outcome.ofWrite("removing the finalizer of snapshot " + key, result);
      }
      case ReadResult.Absent<PartialObject> _ -> Outcome.SETTLED;
      case ReadResult.Failed<PartialObject>(String message) ->
          isKindServed()
              ? new Outcome.Unanswered("snapshot " + key + ": " + message)
              : Outcome.SETTLED; // the kind and its objects are gone
    };
  }

  // If the kind is not served, failures for single objects have no meaning.
  private boolean isKindServed() throws InterruptedException {
    try {
      snapshots.listFirstPage(1, snapshot -> {});
      return true;
    } catch (ListWatchException e) {
      return e.reason() != ListWatchException.Reason.NO_SUCH_RESOURCE;
    }
  }

  public ReadResult<List<ObjectKey>> listProtected() throws InterruptedException {
    List<ObjectKey> keys = new ArrayList<>();
    try {
      snapshots.list(snapshot -> {
        if (snapshot.meta().finalizers().contains(FillSourceRules.SNAPSHOT_IN_USE)) {
          keys.add(snapshot.key());
        }
      });
      return new ReadResult.Found<>(keys);
    } catch (ListWatchException e) {
      boolean isAnswered =
          e.reason() == ListWatchException.Reason.FORBIDDEN
              || e.reason() == ListWatchException.Reason.NO_SUCH_RESOURCE;
      if (!isAnswered) {
        return new ReadResult.Failed<>(e.getMessage());
      }
      reporter.logUnprotectedSnapshots(
          "cannot list snapshots to remove finalizers that are no longer needed: "
              + e.getMessage());
      return new ReadResult.Found<>(List.of());
    }
  }
}
