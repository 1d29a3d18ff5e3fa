package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.DriverCheck;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Change;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.CsiDriver;
import dev.mooring.operation.JobResult;
import dev.mooring.time.Time;
import java.time.Duration;

/**
 * Follows CSIDrivers. A CSIDriver that needed no attachments and is deleted keeps that answer until
 * the server confirms its absence. Thread-safe.
 */
public record CsiDriverTracker(
    VolumeResolver resolver,
    LiveReader reader,
    AttachDetachOperations operations,
    AttachRequeue queues,
    Time time) {
  private static final Duration RECREATION_WAIT = Duration.ofSeconds(10);

  public void driverChanged(Change<CsiDriver> change) {
    String name = change.key().name();
    if (change instanceof Change.Deleted<CsiDriver>(CsiDriver last, _)) {
      if (last.attachRequired()) {
        return; // volumes of unknown drivers need attachments, too
      }
      resolver.markMissing(name);
      scheduleCheck(name);
      return;
    }
    resolver.clearMissing(name);
    queues.addTrigger(new PopulatorTrigger.OfDriver(name));
  }

  private void scheduleCheck(String name) {
    time.schedule(
        RECREATION_WAIT,
        () -> {
          switch (operations.startCheck("driver " + name, () -> checkDriver(name))) {
            case STARTED, CLOSED -> {}
            case ALREADY_RUNNING, BACKING_OFF, REJECTED ->
                scheduleCheck(name); // the other question has not ended yet
          }
        });
  }

  private JobResult checkDriver(String name) throws InterruptedException {
    if (!resolver.isMissing(name)) {
      return JobResult.DONE;
    }
    switch (LiveDecisions.decide(reader, LiveFacts.NONE, live -> DriverCheck.decide(name, live))) {
      case GONE, CHANGED -> {
        if (resolver.clearMissing(name)) {
          queues.addTrigger(new PopulatorTrigger.OfDriver(name));
        }
      }
      case UNCONFIRMED -> scheduleCheck(name);
    }
    return JobResult.DONE;
  }
}
