package dev.mooring.storage;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.decide.SavedDecider;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;
import java.util.Optional;

/**
 * Creates the objects of provisioned volumes, with the retries of its policy. Deletes the storage
 * if the object certainly does not exist in the end. Never deletes the storage of a volume whose
 * object exists or may exist. Thread-safe; blocks.
 */
public record VolumeSaver(ClusterPorts ports, SavePolicy policy) {
  private static final int MAX_ROLLBACKS = 5;
  private static final Duration ROLLBACK_PAUSE = Duration.ofSeconds(10);

  public interface Listener {
    /**
     * The object does not exist; the storage is about to be deleted.
     *
     * @param last result of the last attempt to create the object
     */
    void creationFailed(WriteResult<Volume> last);

    /**
     * The storage could not be deleted, and no retry follows.
     *
     * @param result result of the last attempt; {@link DestroyResult.Unknown} if none was made,
     *     because the object may exist meanwhile
     */
    void rollbackFailed(DestroyResult result);
  }

  public SavedVerdict checkSaved(ObjectKey volume, Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> SavedDecider.decide(volume, claim, live));
  }

  private SavedVerdict checkSaved(Order order) throws InterruptedException {
    return checkSaved(ObjectKey.cluster(order.volumeName()), order.claim());
  }

  private boolean isAbsent(Order order) throws InterruptedException {
    return checkSaved(order) instanceof SavedVerdict.NotThere;
  }

  /**
   * Explains a conflict: an earlier attempt created the object, or another volume has the name.
   * Empty if a read confirms neither; the conflict alone proves nothing.
   */
  private Optional<SaveResult> resolveConflict(Order order) throws InterruptedException {
    return switch (checkSaved(order)) {
      case SavedVerdict.Saved() -> Optional.of(new SaveResult.Saved());
      case SavedVerdict.NameTaken nameTaken -> Optional.of(new SaveResult.NameTaken(nameTaken));
      case SavedVerdict.NotThere(), SavedVerdict.Unknown(String _) -> Optional.empty();
    };
  }

  public ProvisionResult.Failed rollBackUnusable(Order order, ProvisionResult.Unusable unusable)
      throws InterruptedException {
    return switch (checkSaved(order)) {
      case SavedVerdict.NotThere() ->
          unusable.rollback().run() instanceof DestroyResult.Destroyed
              ? new ProvisionResult.Failed(VolumeService.State.FINISHED, false, unusable.message())
              : failedInBackground(unusable.message() + ", and did not delete it again");
      case SavedVerdict.Saved() ->
          failedInBackground(unusable.message() + ", and it is already saved");
      case SavedVerdict.NameTaken nameTaken ->
          failedInBackground(
              unusable.message()
                  + ", and "
                  + nameTaken.describe(order.claim().meta().key().namespace()));
      case SavedVerdict.Unknown(String message) ->
          failedInBackground(unusable.message() + "; " + message);
    };
  }

  private static ProvisionResult.Failed failedInBackground(String message) {
    return new ProvisionResult.Failed(VolumeService.State.BACKGROUND, false, message);
  }

  public SaveResult save(Order order, ProvisionResult.Created created, Listener listener)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      if (policy.recordsCreationTime()) {
        String creationTime = VolumeOrigin.formatCreationTime(ports.time().now());
        created.object().set(creationTime, "metadata", "annotations", VolumeOrigin.MADE_AT);
      }
      WriteResult<Volume> result =
          ports
              .writer()
              .create(Kind.VOLUME, ObjectKey.cluster(order.volumeName()), created.object());
      switch (result) {
        case WriteResult.Written<Volume> _ -> {
          return new SaveResult.Saved();
        }
        case WriteResult.Conflict<Volume> _ -> {
          Optional<SaveResult> resolved = resolveConflict(order);
          if (resolved.isPresent()) {
            return resolved.get();
          }
          ports.time().sleep(policy.backoff().delayAfter(attempt));
        }
        case WriteResult.Rejected<Volume> _ when policy.refusal() == SavePolicy.Refusal.FINAL -> {
          return giveUp(order, created, result, listener);
        }
        case WriteResult.Rejected<Volume> _,
            WriteResult.Gone<Volume> _,
            WriteResult.Unreachable<Volume> _ ->
            ports.time().sleep(policy.backoff().delayAfter(attempt));
      }
      if (attempt == policy.attempts()) {
        return giveUp(order, created, result, listener);
      }
    }
  }

  /**
   * Handles the end of all attempts. An attempt whose response was lost may have created the
   * object.
   */
  private SaveResult giveUp(
      Order order, ProvisionResult.Created created, WriteResult<Volume> last, Listener listener)
      throws InterruptedException {
    return switch (checkSaved(order)) {
      case SavedVerdict.Saved() -> new SaveResult.Found(last);
      case SavedVerdict.NameTaken nameTaken -> new SaveResult.NameTaken(nameTaken);
      case SavedVerdict.Unknown(String message) -> new SaveResult.Unknown(last, message);
      case SavedVerdict.NotThere() -> {
        listener.creationFailed(last);
        DestroyResult result = rollBack(order, created);
        if (!(result instanceof DestroyResult.Destroyed)) {
          listener.rollbackFailed(result);
        }
        yield new SaveResult.Unsaved(last);
      }
    };
  }

  private DestroyResult rollBack(Order order, ProvisionResult.Created created)
      throws InterruptedException {
    DestroyResult result = created.rollback().run();
    for (int rollbacks = 1;
        rollbacks < MAX_ROLLBACKS && !(result instanceof DestroyResult.Destroyed);
        rollbacks++) {
      ports.time().sleep(ROLLBACK_PAUSE);
      if (!isAbsent(order)) {
        return new DestroyResult.Unknown("the volume may have been saved meanwhile");
      }
      result = created.rollback().run();
    }
    return result;
  }
}
