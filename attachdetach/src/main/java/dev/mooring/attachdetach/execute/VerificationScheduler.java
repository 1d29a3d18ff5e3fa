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

  void verify(VolumeNode volumeNode) {
    VolumeId volume = volumeNode.volume();
    operations.startCheck(
        "volume " + volume + " on " + volumeNode.node(),
        () -> {
          JobResult verifyResult = verifier.verify(volume, volumeNode.node());
          JobResult contestResult = arbiter.resolve(volume);
          return verifyResult instanceof JobResult.Unanswered ? verifyResult : contestResult;
        });
  }

  // Verifies all attachments, and schedules checks of contested volumes. Blocks.
  public void verifyAll() throws InterruptedException {
    verifier.verifyAll();
    arbiter.findContestedVolumes().forEach(this::resolveContest);
  }
}
