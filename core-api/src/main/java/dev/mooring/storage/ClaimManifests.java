package dev.mooring.storage;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.Condemnation;
import java.lang.System.Logger.Level;
import java.util.Map;

/**
 * Saves the manifests of claims that are being deleted, as annotations of their volumes.
 * Thread-safe.
 */
public final class ClaimManifests {
  private static final System.Logger LOG = System.getLogger(ClaimManifests.class.getName());

  private final DeletionDelay delay;
  private final Informer<Volume> volumes;
  private final LiveReader reader;
  private final ClusterWriter writer;

  public ClaimManifests(DeletionDelay delay, Informer<Volume> volumes, ClusterPorts ports) {
    this.delay = delay;
    this.volumes = volumes;
    this.reader = ports.reader();
    this.writer = ports.writer();
  }

  /**
   * Saves the claim's manifest if its volume will be condemned.
   *
   * @return SETTLED if the claim may be deleted
   */
  public Outcome save(Claim claim) throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(claim.volumeName());
    Volume volume =
        claim.volumeName().isEmpty()
            ? null
            : volumes.get(key).filter(cached -> loses(cached, claim)).orElse(null);
    if (volume == null) {
      return Outcome.SETTLED;
    }
    return switch (reader.readWhole(Kind.CLAIM, claim.key())) {
      case ReadResult.Absent<Map<String, Object>> _ -> Outcome.SETTLED;
      case ReadResult.Failed<Map<String, Object>> _
          when reader.isForbidden(Kind.CLAIM, claim.key()) ->
          skip(claim, "the claim may not be read");
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new Outcome.Unanswered("the manifest of claim " + claim.key() + ": " + message);
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> wholeObject) ->
          write(claim, volume, ClaimManifest.of(wholeObject));
    };
  }

  private boolean loses(Volume volume, Claim claim) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && ref.claim().equals(claim.key())
        && ref.uid().equals(claim.meta().uid())
        && (volume.reclaimPolicy() == ReclaimPolicy.DELETE
            || volume.reclaimPolicy() == ReclaimPolicy.RECYCLE)
        && delay.isDelayed(volume);
  }

  // any version of the volume: other writers do not touch this annotation
  private Outcome write(Claim claim, Volume volume, String manifest) throws InterruptedException {
    WriteResult<Volume> result =
        writer.patch(
            Kind.VOLUME,
            volume.key(),
            Document.empty()
                .set(volume.meta().uid().toString(), "metadata", "uid")
                .set(manifest, "metadata", "annotations", Condemnation.MANIFEST));
    return result instanceof WriteResult.Rejected<Volume>(int _, String message)
        ? skip(claim, message)
        : Outcome.ofWrite("saving the manifest of claim " + claim.key(), result);
  }

  private static Outcome skip(Claim claim, String message) {
    LOG.log(
        Level.WARNING,
        () ->
            "the manifest of claim %s is not saved; 'mooring undo' can restore the claim without labels and annotations: %s"
                .formatted(claim.key(), message));
    return Outcome.SETTLED;
  }
}
