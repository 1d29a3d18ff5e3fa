package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.DriverCheck;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.observe.DesiredStatePopulator.Trigger;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.informer.Change;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.CsiDriver;
import dev.mooring.operation.JobResult;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

record CsiDriverTracker(
    VolumeResolver resolver,
    NodeChecks server,
    AttachDetachOperations operations,
    Time time,
    Consumer<Trigger> triggers) {
  private static final Duration RECREATION = Duration.ofSeconds(10);

  void changed(Change<CsiDriver> change) {
    String name = change.key().name();
    if (change instanceof Change.Deleted<CsiDriver>(CsiDriver last)) {
      if (last.attachRequired()) {
        return; // volumes of unknown drivers need attachments, too
      }
      resolver.markMissing(name);
      askLater(name);
      return;
    }
    resolver.clearMissing(name);
    triggers.accept(new Trigger.OfDriver(name));
  }

  private void askLater(String name) {
    time.schedule(
        RECREATION,
        () -> {
          switch (operations.startCheck("driver " + name, () -> ask(name))) {
            case STARTED, CLOSED -> {}
            case ALREADY_RUNNING, BACKING_OFF, REFUSED ->
                askLater(name); // the other question has not ended yet
          }
        });
  }

  private JobResult ask(String name) throws InterruptedException {
    if (!resolver.isMissing(name)) {
      return JobResult.DONE;
    }
    switch (LiveDecisions.decide(
        server.reader(), LiveFacts.NONE, live -> DriverCheck.decide(name, live))) {
      case GONE, CHANGED -> {
        if (resolver.clearMissing(name)) {
          triggers.accept(new Trigger.OfDriver(name));
        }
      }
      case DOUBTFUL -> askLater(name);
    }
    return JobResult.DONE;
  }
}
