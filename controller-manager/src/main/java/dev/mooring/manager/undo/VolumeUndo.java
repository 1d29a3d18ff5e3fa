package dev.mooring.manager.undo;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.undo.UndoStep.ClearVolume;
import dev.mooring.manager.undo.UndoStep.CreateClaim;
import dev.mooring.manager.undo.UndoStep.Impossible;
import dev.mooring.manager.undo.UndoStep.ReserveVolume;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.time.Time;
import java.util.List;

/**
 * Restores volumes with their claims: executes one step and plans again, until none is left. Not
 * thread-safe.
 */
public final class VolumeUndo {
  private static final int MAX_CONFLICTS = 20;

  private final LiveReader reader;
  private final ClusterWriter writer;
  private final ManifestWriter manifests;
  private final Time time;

  public VolumeUndo(LiveReader reader, ClusterWriter writer, ManifestWriter manifests, Time time) {
    this.reader = reader;
    this.writer = writer;
    this.manifests = manifests;
    this.time = time;
  }

  /**
   * Returns the condemned volumes whose claims were in the namespace.
   *
   * @throws UndoStoppedException if volumes cannot be listed
   */
  public List<ObjectKey> findVolumes(String namespace)
      throws UndoStoppedException, InterruptedException {
    return switch (reader.list(Kind.VOLUME, "")) {
      case ReadResult.Found<List<Volume>>(List<Volume> all) ->
          all.stream()
              .filter(volume -> UndoPlanner.isUndoable(volume) && isIn(volume, namespace))
              .map(Volume::key)
              .toList();
      case ReadResult.Absent<List<Volume>> _ -> List.of();
      case ReadResult.Failed<List<Volume>>(String message) ->
          throw new UndoStoppedException(
              "the volumes cannot be listed: %s: repeat the command with the right to list persistentvolumes, or name the volume: pv/NAME"
                  .formatted(message));
    };
  }

  private static boolean isIn(Volume volume, String namespace) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isIn(namespace);
  }

  /**
   * Plans without a write. Asks the API server whether it would accept the claim.
   *
   * @return the first step; never {@link Impossible}
   * @throws UndoStoppedException if nothing may be written for the volume
   */
  public UndoStep plan(ObjectKey volume) throws UndoStoppedException, InterruptedException {
    UndoStep step = nextStep(volume);
    switch (step) {
      case ReserveVolume(Volume current, ObjectKey claim) -> checkCreation(current, claim);
      case CreateClaim(Volume current, ObjectKey claim) -> checkCreation(current, claim);
      case ClearVolume _, Impossible _ -> {}
    }
    return step;
  }

  // A dry run may be impossible for other reasons than the claim.
  private void checkCreation(Volume volume, ObjectKey claim)
      throws UndoStoppedException, InterruptedException {
    if (manifests.tryCreate(Kind.CLAIM, claim, RestoredClaim.of(volume, claim))
            instanceof WriteResult.Rejected<ObjectKey>(int code, String message)
        && !message.contains("dry run")) {
      throw new UndoStoppedException(
          "the API server would not accept claim %s again (%s): %s: remove this obstacle, then repeat the command"
              .formatted(claim, code, message));
    }
  }

  private UndoStep nextStep(ObjectKey key) throws UndoStoppedException, InterruptedException {
    Volume volume =
        switch (reader.read(Kind.VOLUME, key)) {
          case ReadResult.Found<Volume>(Volume found) -> found;
          case ReadResult.Absent<Volume> _ ->
              throw new UndoStoppedException(
                  "volume %s does not exist: it is deleted, or the name is wrong; see 'kubectl get pv'"
                      .formatted(key));
          case ReadResult.Failed<Volume>(String message) ->
              throw new UndoStoppedException(
                  "volume %s cannot be read: %s: repeat the command with the right to get it"
                      .formatted(key, message));
        };
    ClaimRef ref = volume.claimRef();
    UndoPlanner.View view =
        ref == null
            ? new UndoPlanner.View(volume, new ReadResult.Absent<>(), new ReadResult.Absent<>())
            : new UndoPlanner.View(
                volume,
                reader.read(Kind.CLAIM, ref.claim()),
                reader.readWhole(UndoRights.NAMESPACE, ObjectKey.cluster(ref.claim().namespace())));
    UndoStep step = UndoPlanner.plan(view, time.now());
    if (step instanceof Impossible(String problem)) {
      throw new UndoStoppedException(problem);
    }
    return step;
  }

  /**
   * Restores the volume's claim.
   *
   * @return the claim
   * @throws UndoStoppedException if the undo cannot continue; it may be repeated
   */
  public ObjectKey run(ObjectKey volume) throws UndoStoppedException, InterruptedException {
    int conflicts = 0;
    while (true) {
      UndoStep step = nextStep(volume);
      WriteResult<?> result = execute(step);
      if (step instanceof ClearVolume(Volume _, ObjectKey claim)
          && (result instanceof WriteResult.Written<?> || result instanceof WriteResult.Gone<?>)) {
        return claim;
      }
      if (result instanceof WriteResult.Conflict<?> && ++conflicts < MAX_CONFLICTS) {
        continue;
      }
      if (!(result instanceof WriteResult.Written<?>)) {
        throw new UndoStoppedException(
            "volume %s is not restored yet: %s: repeat the command, which continues"
                .formatted(volume, result));
      }
    }
  }

  private WriteResult<?> execute(UndoStep step) throws InterruptedException {
    return switch (step) {
      // the judged version: a controller may have begun to destroy the storage
      case ReserveVolume(Volume volume, ObjectKey _) ->
          writer.patch(
              Kind.VOLUME,
              volume.key(),
              Document.patchOf(volume.meta())
                  .set(null, "spec", "claimRef", "uid")
                  .set(null, "spec", "claimRef", "resourceVersion"));
      case CreateClaim(Volume volume, ObjectKey claim) ->
          manifests.create(Kind.CLAIM, claim, RestoredClaim.of(volume, claim));
      // any version: the binder may be binding both now
      case ClearVolume(Volume volume, ObjectKey _) -> clear(volume);
      case Impossible(String problem) -> new WriteResult.Rejected<ObjectKey>(400, problem);
    };
  }

  private WriteResult<Volume> clear(Volume volume) throws InterruptedException {
    Document patch = Document.empty().set(volume.meta().uid().toString(), "metadata", "uid");
    Condemnation.ANNOTATIONS.forEach(name -> patch.set(null, "metadata", "annotations", name));
    return writer.patch(Kind.VOLUME, volume.key(), patch);
  }
}
