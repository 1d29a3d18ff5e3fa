package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.Contests;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.operation.Completion;
import dev.mooring.reconcile.ControllerSpec;

/** Has what is taken for attached compared with what is, now and then. */
record Verifier(
    Verification verification, Contests contests, Operations operations, Around around) {
  /**
   * What else is done each time.
   *
   * @param before called before everything is looked at
   * @param after called after it
   */
  record Around(Runnable before, ControllerSpec.Action after) {}

  /** A node waits for the volume: who has it is found out, soon, if nobody knows. */
  void endContest(VolumeId volume) {
    if (contests.isOne(volume)) {
      operations.lookAfter("contest for " + volume, () -> contests.end(volume));
    }
  }

  /** Looks at one volume on a node, soon. */
  void verify(VolumeId volume, String node) {
    operations.look(
        "volume " + volume + " on " + node,
        () -> {
          Completion seen = verification.verify(volume, node);
          Completion ended = contests.end(volume);
          return seen instanceof Completion.Unanswered ? seen : ended;
        });
  }

  /** Looks at everything, soon. */
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
