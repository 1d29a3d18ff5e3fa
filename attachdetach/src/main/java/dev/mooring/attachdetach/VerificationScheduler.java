package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.AttachmentArbiter;
import dev.mooring.attachdetach.execute.AttachmentVerifier;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.ControllerSpec;

record VerificationScheduler(
    AttachmentVerifier verification,
    AttachmentArbiter contests,
    AttachDetachOperations operations,
    VerificationHooks around) {
  record VerificationHooks(Runnable before, ControllerSpec.Action after) {}

  // Schedules a check for the node that holds a contested volume. Called when a node waits
  // for it.
  void resolveContest(VolumeId volume) {
    if (contests.isContested(volume)) {
      operations.startCheckAfter("contest for " + volume, () -> contests.resolve(volume));
    }
  }

  void verify(VolumeId volume, String node) {
    operations.startCheck(
        "volume " + volume + " on " + node,
        () -> {
          JobResult seen = verification.verify(volume, node);
          JobResult ended = contests.resolve(volume);
          return seen instanceof JobResult.Unanswered ? seen : ended;
        });
  }

  void verifyAll() {
    operations.startCheck("everything", this::verify);
  }

  private JobResult verify() throws InterruptedException {
    around.before().run();
    verification.verifyAll();
    contests.contested().forEach(this::resolveContest);
    around.after().run();
    return JobResult.DONE;
  }
}
