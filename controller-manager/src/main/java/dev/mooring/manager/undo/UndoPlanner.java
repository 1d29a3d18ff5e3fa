package dev.mooring.manager.undo;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.RawObject;
import dev.mooring.manager.undo.UndoStep.ClearVolume;
import dev.mooring.manager.undo.UndoStep.CreateClaim;
import dev.mooring.manager.undo.UndoStep.Impossible;
import dev.mooring.manager.undo.UndoStep.ReserveVolume;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.Condemnation;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Plans the restoration of one volume. Pure. */
final class UndoPlanner {
  /**
   * Objects that the API server returned.
   *
   * @param claim the claim in the claimRef
   * @param namespace the namespace of that claim
   */
  record View(Volume volume, ReadResult<Claim> claim, ReadResult<Map<String, Object>> namespace) {}

  private UndoPlanner() {}

  static boolean isUndoable(Volume volume) {
    return volume.claimRef() != null && (Condemnation.isCondemned(volume) || isReserved(volume));
  }

  // an earlier run has reserved it
  private static boolean isReserved(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.uid().isNone() && volume.meta().hasAnnotation(Condemnation.UNTIL);
  }

  static UndoStep plan(View view, Instant now) {
    Volume volume = view.volume();
    ClaimRef ref = volume.claimRef();
    if (ref == null || ref.claim().namespace().isEmpty() || ref.claim().name().isEmpty()) {
      return new Impossible(
          "volume %s has no claim in its claimRef: create a claim with volumeName %s instead"
              .formatted(volume.meta().name(), volume.meta().name()));
    }
    if (isReserved(volume)) {
      return planReserved(view, ref.claim());
    }
    if (Condemnation.isCondemned(volume)) {
      return findObstacle(volume, now)
          .or(() -> checkClaim(view, ref.claim()))
          .<UndoStep>map(Impossible::new)
          .orElseGet(() -> new ReserveVolume(volume, ref.claim()));
    }
    boolean isRestored =
        volume.meta().hasAnnotation(Condemnation.UNTIL)
            && view.claim() instanceof ReadResult.Found<Claim>(Claim claim)
            && claim.meta().uid().equals(ref.uid());
    return isRestored
        ? new ClearVolume(volume, ref.claim())
        : new Impossible(
            "volume %s is not condemned, its phase is %s: see 'mooring explain pv/%s'"
                .formatted(volume.meta().name(), volume.phase(), volume.meta().name()));
  }

  private static UndoStep planReserved(View view, ObjectKey claim) {
    Optional<String> problem = checkClaim(view, claim);
    return problem.isPresent()
        ? new Impossible(problem.get())
        : view.claim() instanceof ReadResult.Found<Claim>
            ? new ClearVolume(view.volume(), claim)
            : new CreateClaim(view.volume(), claim);
  }

  private static Optional<String> findObstacle(Volume volume, Instant now) {
    String name = volume.meta().name();
    Optional<Instant> deadline = Condemnation.deadline(volume);
    if (deadline.isPresent() && !deadline.get().isAfter(now)) {
      return Optional.of(
          "the deadline of volume %s was %s, so its storage may be destroyed already: if the volume stays, set its reclaim policy to Retain and check its data"
              .formatted(name, deadline.get()));
    }
    if (BinderController.isPossiblyBeingDestroyed(volume)) {
      return Optional.of(
          "a plugin may be destroying the storage of volume %s: set its reclaim policy to Retain and check its data"
              .formatted(name));
    }
    return volume.meta().isBeingDeleted()
        ? Optional.of(
            "PersistentVolume %s itself is being deleted, so no claim can be bound to it: set its reclaim policy to Retain, which keeps the data, then create another PersistentVolume for the same storage"
                .formatted(name))
        : Optional.empty();
  }

  private static Optional<String> checkClaim(View view, ObjectKey key) {
    return switch (view.claim()) {
      case ReadResult.Found<Claim>(Claim claim) when claim.meta().isBeingDeleted() ->
          Optional.of(
              "claim %s is being deleted: wait until it is gone, then repeat the command"
                  .formatted(key));
      case ReadResult.Found<Claim>(Claim claim)
          when !claim.volumeName().equals(view.volume().meta().name()) ->
          Optional.of(
              "claim %s exists already%s: delete it, or restore the data under another name (docs/undo.md)"
                  .formatted(
                      key,
                      claim.volumeName().isEmpty() ? "" : " with volume " + claim.volumeName()));
      case ReadResult.Found<Claim> _ -> Optional.empty();
      case ReadResult.Failed<Claim>(String message) ->
          Optional.of(
              "claim %s cannot be read: %s: repeat the command with the right to get it"
                  .formatted(key, message));
      case ReadResult.Absent<Claim> _ -> checkNamespace(view, key.namespace());
    };
  }

  private static Optional<String> checkNamespace(View view, String namespace) {
    return switch (view.namespace()) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) ->
          new RawObject(found).at("metadata").contains("deletionTimestamp")
              ? Optional.of(
                  "namespace %s is being deleted: wait until it is gone, create it again, then repeat the command"
                      .formatted(namespace))
              : Optional.empty();
      case ReadResult.Absent<Map<String, Object>> _ ->
          Optional.of(
              "namespace %s does not exist: run 'kubectl create namespace %s', then repeat the command"
                  .formatted(namespace, namespace));
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          Optional.of(
              "namespace %s cannot be read: %s: repeat the command with the right to get it"
                  .formatted(namespace, message));
    };
  }
}
