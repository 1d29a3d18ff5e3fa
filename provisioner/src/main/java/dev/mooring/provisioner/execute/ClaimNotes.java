package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.VersionBumper;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.provisioner.decide.ClaimNote;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.state.NoteOwners;
import dev.mooring.storage.VolumeService;
import dev.mooring.time.Time;
import java.util.Set;

/** Writes and removes this provisioner's {@link ClaimNote} on a claim. Thread-safe. */
public final class ClaimNotes {
  private final ClusterWriter writer;
  private final Set<String> names;
  private final NoteOwners owners;
  private final VersionBumper versions;

  ClaimNotes(ClusterWriter writer, Set<String> names, NoteOwners owners, Time time) {
    this.writer = writer;
    this.names = names;
    this.owners = owners;
    this.versions = new VersionBumper(writer, time);
  }

  public static boolean differInNoteOnly(Claim old, Claim current) {
    return !old.meta().withoutVersion().equals(current.meta().withoutVersion())
        && withoutNote(old).equals(withoutNote(current));
  }

  private static Claim withoutNote(Claim claim) {
    Meta meta = claim.meta();
    return claim.withMeta(
        meta.withoutVersion()
            .withoutAnnotation(VersionBumper.VERSION_MARK)
            .withoutAnnotation(VolumeService.BEING_MADE_BY)
            .withFinalizers(meta.finalizersWithout(VolumeService.BEING_MADE)));
  }

  boolean hasNote(Claim claim) {
    return ClaimNote.of(claim).isOwnedBy(names);
  }

  /**
   * Writes the note. An unanswered removal may still be in flight; it applies to one
   * resourceVersion only. So the note is removed first, which changes the version.
   */
  private WriteResult<Claim> writeNote(Claim claim) throws InterruptedException {
    Claim base = claim;
    if (hasNote(claim)) {
      WriteResult<Claim> removal = removeNote(claim);
      if (!(removal instanceof WriteResult.Written<Claim>(Claim unmarked))) {
        return removal;
      }
      base = unmarked;
    }
    Document patch = Document.patchOf(base.meta());
    WriteResult<Claim> result =
        patchClaim(base, setNote(patch, base, ClaimNote.of(base).withProvisioners(names)));
    if (result instanceof WriteResult.Written<Claim>) {
      owners.markOwn(claim.meta().uid());
    }
    return result;
  }

  boolean hasInheritedNote(Claim claim) {
    return hasNote(claim) && owners.isInherited(claim.meta().uid());
  }

  /**
   * Ensures that the claim has the note and that no write in flight can remove it.
   *
   * @return the claim; without the note if the earlier owner has removed it
   */
  WriteResult<Claim> ensureNote(Claim claim) throws InterruptedException {
    if (hasInheritedNote(claim)) {
      return protectNote(claim);
    }
    boolean isWritten = hasNote(claim) && !owners.isDoubtful(claim.meta().uid());
    return isWritten ? new WriteResult.Written<>(claim) : writeNote(claim);
  }

  private WriteResult<Claim> protectNote(Claim claim) throws InterruptedException {
    WriteResult<Claim> bumped = versions.bump(Kind.CLAIM, claim);
    return switch (bumped) {
      case WriteResult.Written<Claim>(Claim current) -> {
        owners.markProtected(claim.meta().uid());
        yield versions.removeMark(Kind.CLAIM, current) instanceof WriteResult.Written<Claim> cleared
            ? cleared
            : bumped;
      }
      case WriteResult.Rejected<Claim>
              _ -> { // an admission policy rejects it: the claim stays unprotected
        owners.markProtected(claim.meta().uid());
        yield new WriteResult.Written<>(claim);
      }
      case WriteResult.Conflict<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Unreachable<Claim> _ ->
          bumped;
    };
  }

  WriteResult<Claim> removeNote(Claim claim) throws InterruptedException {
    Document patch = removeNoteFromPatch(Document.patchOf(claim.meta()), claim);
    if (claim
        .meta()
        .hasAnnotation(
            VersionBumper.VERSION_MARK)) { // left by a process that died between two writes
      patch.set(null, "metadata", "annotations", VersionBumper.VERSION_MARK);
    }
    return patchClaim(claim, patch);
  }

  private Document removeNoteFromPatch(Document patch, Claim claim) {
    return setNote(patch, claim, ClaimNote.of(claim).withoutProvisioners(names));
  }

  private static Document setNote(Document patch, Claim claim, ClaimNote note) {
    Meta meta = claim.meta();
    String annotation = note.annotationValue();
    if (!annotation.equals(meta.annotation(VolumeService.BEING_MADE_BY))) {
      patch.set(
          annotation.isEmpty() ? null : annotation,
          "metadata",
          "annotations",
          VolumeService.BEING_MADE_BY);
    }
    return patch.set(
        note.isPresent()
            ? meta.finalizersWith(VolumeService.BEING_MADE)
            : meta.finalizersWithout(VolumeService.BEING_MADE),
        "metadata",
        "finalizers");
  }

  /**
   * Asks the scheduler for another node. If there is no volume, the same write removes the note.
   * This process forgets a claim without a node, and another instance may serve the next node. Both
   * would treat the note as that of a call whose outcome is unknown.
   *
   * @return whether the write succeeded
   */
  boolean deselectNode(Claim claim, boolean isVolumeAbsent) throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(null, "metadata", "annotations", ClaimRules.SELECTED_NODE);
    boolean removesNote = isVolumeAbsent && hasNote(claim);
    if (removesNote) {
      removeNoteFromPatch(patch, claim);
    }
    // a lost answer leaves only a note in doubt that this write removes
    WriteResult<Claim> result =
        removesNote ? patchClaim(claim, patch) : writer.patch(Kind.CLAIM, claim.key(), patch);
    if (!(result instanceof WriteResult.Written<Claim>)) {
      return false;
    }
    if (removesNote) {
      owners.disown(claim.meta().uid());
    }
    return true;
  }

  WriteResult<Claim> patchClaim(Claim claim, Document patch) throws InterruptedException {
    WriteResult<Claim> result = writer.patch(Kind.CLAIM, claim.key(), patch);
    switch (result) {
      case WriteResult.Unreachable<Claim> _ -> owners.doubt(claim.meta().uid());
      case WriteResult.Written<Claim> _ -> owners.confirm(claim.meta().uid());
      case WriteResult.Conflict<Claim> _,
          WriteResult.Gone<Claim> _,
          WriteResult.Rejected<Claim> _ -> {}
    }
    return result;
  }
}
