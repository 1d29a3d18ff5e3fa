package dev.mooring.storage;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.decide.SavedDecider;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.storage.decide.VolumeOrigin;
import java.time.Duration;
import java.util.Optional;

/**
 * Saves volumes that were made, as often as its policy says; destroys them again if the server does
 * not have them then. What is saved, or may be, is never destroyed. Thread-safe; blocks.
 */
public record VolumeSaver(ClusterPorts ports, SavePolicy policy) {
  private static final int ROLLBACKS = 5;
  private static final Duration BETWEEN_ROLLBACKS = Duration.ofSeconds(10);

  /** Who hears of it while it goes on: destroying may take minutes. */
  public interface Listener {
    /**
     * The server does not have it: it is about to be destroyed.
     *
     * @param last how the last attempt to save it ended
     */
    void unsaved(WriteResult<Volume> last);

    /**
     * It could not be destroyed, and nobody will try again.
     *
     * @param end how the last attempt ended; {@link Destroying.Unknown} if it was not made because
     *     the volume may be saved by now
     */
    void leftBehind(Destroying end);
  }

  /** Whether the claim's volume of that name is saved; never a {@link SavedVerdict.Ask}. */
  public SavedVerdict isSaved(ObjectKey volume, Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> SavedDecider.isSaved(volume, claim, live));
  }

  private SavedVerdict isSaved(Order order) throws InterruptedException {
    return isSaved(ObjectKey.cluster(order.volumeName()), order.claim());
  }

  /** Whether the server says that there is no such volume: only then is it nobody's. */
  private boolean isUnsaved(Order order) throws InterruptedException {
    return isSaved(order) instanceof SavedVerdict.NotThere;
  }

  /**
   * What a conflict means: an earlier attempt has saved the volume, or another volume has its name.
   * Empty if the server does not say that there is one: a conflict by itself says nothing.
   */
  private Optional<SaveResult> there(Order order) throws InterruptedException {
    return switch (isSaved(order)) {
      case SavedVerdict.Saved() -> Optional.of(new SaveResult.Saved());
      case SavedVerdict.NameTaken taken -> Optional.of(new SaveResult.NameTaken(taken));
      case SavedVerdict.NotThere(), SavedVerdict.CannotTell(String _), SavedVerdict.Ask _ ->
          Optional.empty();
    };
  }

  /**
   * Destroys what cannot be used, unless an earlier answer was good and has been saved.
   *
   * @return what that means for its provisioning
   */
  public ProvisionResult.Failed unusable(Order order, ProvisionResult.Unusable unusable)
      throws InterruptedException {
    return switch (isSaved(order)) {
      case SavedVerdict.NotThere() ->
          unusable.rollback().run() instanceof Destroying.Destroyed
              ? new ProvisionResult.Failed(VolumeService.State.FINISHED, false, unusable.message())
              : mayBeThere(unusable.message() + ", and did not take it back");
      case SavedVerdict.Saved() -> mayBeThere(unusable.message() + ", and it is saved already");
      case SavedVerdict.NameTaken taken ->
          mayBeThere(
              unusable.message() + ", and " + taken.note(order.claim().meta().key().namespace()));
      case SavedVerdict.CannotTell(String why) -> mayBeThere(unusable.message() + "; " + why);
      case SavedVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private static ProvisionResult.Failed mayBeThere(String why) {
    return new ProvisionResult.Failed(VolumeService.State.BACKGROUND, false, why);
  }

  /**
   * Saves it.
   *
   * @param made with the whole object
   */
  public SaveResult save(Order order, ProvisionResult.Made made, Listener listener)
      throws InterruptedException {
    Duration pause = policy.pause();
    for (int attempt = 1; ; attempt++) {
      if (policy.saysWhenMade()) {
        String now = VolumeOrigin.madeAt(ports.time().now());
        made.object().set(now, "metadata", "annotations", VolumeOrigin.MADE_AT);
      }
      WriteResult<Volume> result =
          ports.writer().create(Kind.VOLUME, ObjectKey.cluster(order.volumeName()), made.object());
      switch (result) {
        case WriteResult.Written<Volume> _ -> {
          return new SaveResult.Saved();
        }
        case WriteResult.Conflict<Volume> _ -> {
          Optional<SaveResult> there = there(order);
          if (there.isPresent()) {
            return there.get();
          }
          ports.time().sleep(pause);
        }
        case WriteResult.Rejected<Volume> _ when policy.refusal() == SavePolicy.Refusal.FINAL -> {
          return notSaved(order, made, result, listener);
        }
        case WriteResult.Rejected<Volume> _,
            WriteResult.Gone<Volume> _,
            WriteResult.Unreachable<Volume> _ ->
            ports.time().sleep(pause);
      }
      if (attempt == policy.attempts()) {
        return notSaved(order, made, result, listener);
      }
      pause = policy.after(pause);
    }
  }

  /** An earlier attempt whose answer was lost may have saved it. */
  private SaveResult notSaved(
      Order order, ProvisionResult.Made made, WriteResult<Volume> last, Listener listener)
      throws InterruptedException {
    return switch (isSaved(order)) {
      case SavedVerdict.Saved() -> new SaveResult.Found(last);
      case SavedVerdict.NameTaken taken -> new SaveResult.NameTaken(taken);
      case SavedVerdict.CannotTell(String why) -> new SaveResult.Unknown(last, why);
      case SavedVerdict.NotThere() -> {
        listener.unsaved(last);
        Destroying end = destroyed(order, made);
        if (!(end instanceof Destroying.Destroyed)) {
          listener.leftBehind(end);
        }
        yield new SaveResult.Unsaved(last);
      }
      case SavedVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Destroying destroyed(Order order, ProvisionResult.Made made) throws InterruptedException {
    Destroying end = made.rollback().run();
    for (int more = 1; more < ROLLBACKS && !(end instanceof Destroying.Destroyed); more++) {
      ports.time().sleep(BETWEEN_ROLLBACKS);
      if (!isUnsaved(order)) {
        return new Destroying.Unknown("whether it is saved by now is unknown");
      }
      end = made.rollback().run();
    }
    return end;
  }
}
