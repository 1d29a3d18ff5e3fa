package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.operation.JobResult;

/** Schedules checks of attachments. Thread-safe. */
public record VerificationScheduler(
    AttachmentVerifier verifier, AttachmentArbiter arbiter, AttachDetachOperations operations) {
  // Schedules a check for the node that holds a contested volume. Called when a node waits
  // for it.
  void resolveContest(VolumeId volume) {
    if (arbiter.isContested(volume)) {
      operations.startCheckAfter("contest for " + volume, () -> arbiter.resolve(volume));
    }
  }

  void verify(VolumeNode at) {
    VolumeId volume = at.volume();
    operations.startCheck(
        "volume " + volume + " on " + at.node(),
        () -> {
          JobResult seen = verifier.verify(volume, at.node());
          JobResult ended = arbiter.resolve(volume);
          return seen instanceof JobResult.Unanswered ? seen : ended;
        });
  }

  // Verifies all attachments, and schedules checks of contested volumes. Blocks.
  public void verifyAll() throws InterruptedException {
    verifier.verifyAll();
    arbiter.contested().forEach(this::resolveContest);
  }
}
