package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.VersionMark;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.storage.VolumeService;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The note on a claim, a finalizer, that its volume may be being made: written and taken away, and
 * whose it is. A note of an earlier process stands for a call that nobody heard end; one of this
 * process does not. Thread-safe.
 */
public final class ClaimNotes {
  private final ClusterWriter writer;
  private final Set<Uid> own = ConcurrentHashMap.newKeySet();
  // the server did not say whether their note is there: the cache may show one that is gone
  private final Set<Uid> doubtful = ConcurrentHashMap.newKeySet();

  // of earlier processes, which nothing that those have sent takes away any more
  private final Set<Uid> kept = ConcurrentHashMap.newKeySet();
  private final VersionMark versions;

  ClaimNotes(ClusterWriter writer, Time time) {
    this.writer = writer;
    this.versions = new VersionMark(writer, time);
  }

  /**
   * Whether the note, or what keeps it, differs between the two, and nothing else. Where nothing
   * does that a cache shows, something else has changed.
   */
  public static boolean differInNoteOnly(Claim before, Claim now) {
    return !before.meta().unversioned().equals(now.meta().unversioned())
        && withoutNote(before).equals(withoutNote(now));
  }

  private static Claim withoutNote(Claim claim) {
    Meta meta = claim.meta();
    return claim.with(
        meta.unversioned()
            .without(VersionMark.VERSION_MARK)
            .withFinalizers(meta.finalizersWithout(VolumeService.BEING_MADE)));
  }

  boolean isOwn(Uid claim) {
    return own.contains(claim);
  }

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
    kept.remove(claim);
  }

  /**
   * Writes it. What was sent to take it away, and was not answered, may be under way still; it is
   * bound to a version, and only a change makes another: so it is taken away first.
   */
  private WriteResult<Claim> put(Claim claim) throws InterruptedException {
    Claim from = claim;
    if (ClaimRules.isBeingMade(claim)) {
      WriteResult<Claim> taken = take(claim);
      if (!(taken instanceof WriteResult.Written<Claim>(Claim without))) {
        return taken;
      }
      from = without;
    }
    WriteResult<Claim> put =
        write(from, finalizers(from, from.meta().finalizersWith(VolumeService.BEING_MADE)));
    if (put instanceof WriteResult.Written<Claim>) {
      own.add(claim.meta().uid());
    }
    return put;
  }

  /** Whether a late write of an earlier process may take the claim's note away at any time. */
  boolean isAtRisk(Claim claim) {
    return ClaimRules.isBeingMade(claim) && isInherited(claim.meta().uid());
  }

  boolean isInherited(Uid claim) {
    return !isOwn(claim) && !kept.contains(claim);
  }

  /** The claim is gone: nothing takes its note away any more. */
  void gone(Uid claim) {
    kept.add(claim);
  }

  /**
   * Has it on the claim, and nothing under way that takes it away.
   *
   * @return the claim; without the note if who had put it there has taken it away
   */
  WriteResult<Claim> ensure(Claim claim) throws InterruptedException {
    if (isAtRisk(claim)) {
      return keep(claim);
    }
    boolean there = ClaimRules.isBeingMade(claim) && !isDoubtful(claim.meta().uid());
    return there ? new WriteResult.Written<>(claim) : put(claim);
  }

  private WriteResult<Claim> keep(Claim claim) throws InterruptedException {
    WriteResult<Claim> marked = versions.set(Kind.CLAIM, claim);
    return switch (marked) {
      case WriteResult.Written<Claim>(Claim now) -> {
        kept.add(claim.meta().uid());
        yield versions.clear(Kind.CLAIM, now) instanceof WriteResult.Written<Claim> cleared
            ? cleared
            : marked;
      }
      case WriteResult.Rejected<Claim> _ -> { // some policy: then nothing keeps it, as before
        kept.add(claim.meta().uid());
        yield new WriteResult.Written<>(claim);
      }
      case WriteResult.Conflict<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Unreachable<Claim> _ ->
          marked;
    };
  }

  WriteResult<Claim> take(Claim claim) throws InterruptedException {
    Document patch = finalizers(claim, claim.meta().finalizersWithout(VolumeService.BEING_MADE));
    if (claim.meta().has(VersionMark.VERSION_MARK)) { // of a process that was killed at that moment
      patch.set(null, "metadata", "annotations", VersionMark.VERSION_MARK);
    }
    return write(claim, patch);
  }

  private static Document finalizers(Claim claim, List<String> finalizers) {
    return Document.patchOf(claim.meta()).set(finalizers, "metadata", "finalizers");
  }

  /**
   * Asks the scheduler for another node. If there is no volume, the same write removes the note.
   * Another instance may serve the next node, and this instance never sees the claim again.
   *
   * @return whether it is written
   */
  boolean takeNodeBack(Claim claim, boolean nothingThere) throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(null, "metadata", "annotations", ClaimRules.SELECTED_NODE);
    boolean over = nothingThere && ClaimRules.isBeingMade(claim);
    if (over) {
      patch.set(claim.meta().finalizersWithout(VolumeService.BEING_MADE), "metadata", "finalizers");
    }
    // a lost answer puts only a note in doubt that the write takes away
    WriteResult<Claim> result =
        over ? write(claim, patch) : writer.patch(Kind.CLAIM, claim.key(), patch);
    if (!(result instanceof WriteResult.Written<Claim>)) {
      return false;
    }
    if (over) {
      disown(claim.meta().uid());
    }
    return true;
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
