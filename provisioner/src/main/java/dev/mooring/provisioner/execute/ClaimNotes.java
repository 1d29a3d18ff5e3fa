package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.storage.VolumeService;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The note on a claim, a finalizer, that its volume may be being made: written and taken away, and
 * whose it is. A note of an earlier process stands for a call that nobody heard end; one of this
 * process does not. Thread-safe.
 */
final class ClaimNotes {
  private final ClusterWriter writer;
  private final Set<Uid> own = ConcurrentHashMap.newKeySet();
  // the server did not say whether their note is there: the cache may show one that is gone
  private final Set<Uid> doubtful = ConcurrentHashMap.newKeySet();

  ClaimNotes(ClusterWriter writer) {
    this.writer = writer;
  }

  /** Whether a note on the claim is this process's. */
  boolean isOwn(Uid claim) {
    return own.contains(claim);
  }

  /** From now on a note on the claim is this process's. */
  void own(Uid claim) {
    own.add(claim);
  }

  /** A note that comes from now on is another's. */
  void disown(Uid claim) {
    if (!isDoubtful(claim)) {
      own.remove(claim);
    }
  }

  /** Whether it may yet come, or go, because the server did not answer. */
  boolean isDoubtful(Uid claim) {
    return doubtful.contains(claim);
  }

  /** The claim is gone, or another process's. */
  void forget(Uid claim) {
    own.remove(claim);
    doubtful.remove(claim);
  }

  /** Whether the claim is known to say so. */
  boolean isThere(Claim claim) {
    return ClaimRules.isBeingMade(claim) && !isDoubtful(claim.meta().uid());
  }

  /**
   * Writes it. What was sent to take it away, and was not answered, may be under way still; it is
   * bound to a version, and only a change makes another: so it is taken away first.
   */
  WriteResult<Claim> put(Claim claim) throws InterruptedException {
    Claim from = claim;
    if (ClaimRules.isBeingMade(claim)) {
      WriteResult<Claim> taken = take(claim);
      if (!(taken instanceof WriteResult.Written<Claim>(Claim without))) {
        return taken;
      }
      from = without;
    }
    WriteResult<Claim> put = finalizers(from, from.meta().finalizersWith(VolumeService.BEING_MADE));
    if (put instanceof WriteResult.Written<Claim>) {
      own.add(claim.meta().uid());
    }
    return put;
  }

  /** Takes it away. */
  WriteResult<Claim> take(Claim claim) throws InterruptedException {
    return finalizers(claim, claim.meta().finalizersWithout(VolumeService.BEING_MADE));
  }

  private WriteResult<Claim> finalizers(Claim claim, List<String> finalizers)
      throws InterruptedException {
    return write(claim, Document.patchOf(claim.meta()).set(finalizers, "metadata", "finalizers"));
  }

  /** Writes something else, perhaps along with the note. */
  WriteResult<Claim> write(Claim claim, Document patch) throws InterruptedException {
    WriteResult<Claim> result = writer.patch(Kind.CLAIM, claim.key(), patch);
    switch (result) {
      case WriteResult.Unreachable<Claim> _ -> {
        own.add(claim.meta().uid()); // a note that is there all the same is this process's
        doubtful.add(claim.meta().uid());
      }
      case WriteResult.Written<Claim> _ -> doubtful.remove(claim.meta().uid());
      case WriteResult.Conflict<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Rejected<Claim> _ -> {}
    }
    return result;
  }
}
