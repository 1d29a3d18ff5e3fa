package dev.mooring.provisioner.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.state.ClaimMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.VolumeService;
import java.time.Duration;

/** Ends the work for claims: removes their notes and forgets them. Thread-safe. */
record ClaimReleaser(
    VolumeService service, ClaimNotes notes, ClaimMemory memory, ProvisionReporter reporter) {
  void forget(Uid claim) {
    memory.forget(claim);
    service.forget(claim);
  }

  // Forgets a claim that exists, unless a note without a call may still be written to it.
  void forgetUnlessDoubtful(Uid claim) {
    if (memory.unfinishedCalls().contains(claim) || !memory.noteOwners().isDoubtful(claim)) {
      forget(claim);
    }
  }

  /**
   * Removes the note, and remembers the claim until that is written or the claim is gone. The cache
   * may still show a note, which would mean a call in doubt.
   */
  Outcome release(Claim claim) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (!notes.hasNote(claim)) {
      forgetUnlessDoubtful(uid);
      return Outcome.SETTLED;
    }
    WriteResult<Claim> unmarked = notes.removeNote(claim);
    if (unmarked instanceof WriteResult.Written<Claim> && !claim.meta().isBeingDeleted()) {
      forget(uid);
    } else {
      memory.unfinishedCalls().remove(uid);
      memory.noteOwners().markOwn(uid);
    }
    return Outcome.ofWrite("releasing claim " + claim.key(), unmarked);
  }

  // Releases the claim: no volume exists and none is requested for a while.
  Outcome releaseForPause(Claim claim, Duration pause) throws InterruptedException {
    Outcome unmarked =
        notes.hasNote(claim)
            ? Outcome.ofWrite("releasing claim " + claim.key(), notes.removeNote(claim))
            : Outcome.SETTLED;
    if (unmarked.equals(Outcome.SETTLED)) {
      memory.noteOwners().disown(claim.meta().uid());
      return new Outcome.CheckAgain(pause);
    }
    memory.noteOwners().markOwn(claim.meta().uid());
    return unmarked;
  }

  /**
   * Leaves the claim to another provisioner of the same name. That provisioner may have written the
   * note, so only a note of this process is removed, and only if no call is in doubt.
   */
  Outcome leaveToOthers(Claim claim, String reason) throws InterruptedException {
    Uid uid = claim.meta().uid();
    boolean isOwnNote = memory.noteOwners().isOwn(uid);
    if (notes.hasNote(claim) && !isOwnNote) {
      forget(uid);
      return Outcome.SETTLED;
    }
    if (!memory.unfinishedCalls().contains(uid)) {
      return release(claim);
    }
    reporter.reportProblem(
        claim,
        "the claim is left to another provisioner: "
            + reason
            + ", and an earlier call may have created a volume for the claim");
    return new Outcome.GiveUp(new Failure.Rejected("claim " + claim.key() + ": " + reason));
  }
}
