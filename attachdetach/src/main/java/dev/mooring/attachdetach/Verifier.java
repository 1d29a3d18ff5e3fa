package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.Verification;
import dev.mooring.operation.Completion;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Has what is taken for attached compared with what is, now and then. */
final class Verifier {
  /**
   * What else is done each time.
   *
   * @param before called before everything is looked at
   * @param after called after it
   */
  record Around(Runnable before, Runnable after) {}

  private final Verification verification;
  private final Operations operations;
  private final Around around;
  private final Time time;
  private final BooleanSupplier isStopped;

  Verifier(
      Verification verification,
      Operations operations,
      Around around,
      Time time,
      BooleanSupplier isStopped) {
    this.verification = verification;
    this.operations = operations;
    this.around = around;
    this.time = time;
    this.isStopped = isStopped;
  }

  /** Looks at one volume on a node, soon. */
  void verify(VolumeId volume, String node) {
    operations.look(
        "volume " + volume + " on " + node,
        () -> {
          verification.verify(volume, node);
          return Completion.DONE;
        });
  }

  /** Looks at everything, again and again; empty for never. */
  void every(Optional<Duration> period) {
    period.ifPresent(this::later);
  }

  private void later(Duration period) {
    time.schedule(
        period,
        () -> {
          if (!isStopped.getAsBoolean()) {
            operations.look("everything", this::verify);
            later(period);
          }
        });
  }

  private Completion verify() throws InterruptedException {
    around.before().run();
    verification.verifyAll();
    around.after().run();
    return Completion.DONE;
  }
}
