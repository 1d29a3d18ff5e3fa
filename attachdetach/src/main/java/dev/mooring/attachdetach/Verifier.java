package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.Contests;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.operation.Completion;
import dev.mooring.reconcile.ControllerSpec;

/** Schedules comparisons of the recorded with the real attachments. */
record Verifier(
    Verification verification, Contests contests, Operations operations, Around around) {
  /**
   * Hooks around a verification of everything.
   *
   * @param before called before it
   * @param after called after it
   */
  record Around(Runnable before, ControllerSpec.Action after) {}

  /**
   * Schedules a check of which node has the volume, if that is contested. Called when a node waits
   * for it.
   */
  void endContest(VolumeId volume) {
    if (contests.isOne(volume)) {
      operations.lookAfter("contest for " + volume, () -> contests.end(volume));
    }
  }

  void verify(VolumeId volume, String node) {
    operations.look(
        "volume " + volume + " on " + node,
        () -> {
          Completion seen = verification.verify(volume, node);
          Completion ended = contests.end(volume);
          return seen instanceof Completion.Unanswered ? seen : ended;
        });
  }

  void verifyAll() {
    operations.look("everything", this::verify);
  }

  private Completion verify() throws InterruptedException {
    around.before().run();
    verification.verifyAll();
    contests.all().forEach(this::endContest);
    around.after().run();
    return Completion.DONE;
  }
}
