package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.DriverCheck;
import dev.mooring.attachdetach.execute.NodeChecks;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.observe.Populator.Trigger;
import dev.mooring.attachdetach.observe.Resolver;
import dev.mooring.informer.Change;
import dev.mooring.model.CsiDriver;
import dev.mooring.operation.Completion;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/** Tracks CSIDrivers. Asks the server before it treats a missing one as gone. */
record Drivers(
    Resolver resolver,
    NodeChecks server,
    Operations operations,
    Time time,
    Consumer<Trigger> triggers) {
  private static final Duration MADE_ANEW = Duration.ofSeconds(10);

  void changed(Change<CsiDriver> change) {
    String name = change.key().name();
    if (change instanceof Change.Deleted<CsiDriver>(CsiDriver last)) {
      if (last.attachRequired()) {
        return; // volumes of unknown drivers need attachments, too
      }
      resolver.misses(name);
      askLater(name);
      return;
    }
    resolver.missesNoMore(name);
    triggers.accept(new Trigger.OfDriver(name));
  }

  private void askLater(String name) {
    time.schedule(
        MADE_ANEW,
        () -> {
          switch (operations.look("driver " + name, () -> ask(name))) {
            case STARTED, CLOSED -> {}
            case ALREADY_RUNNING, BACKING_OFF, REFUSED ->
                askLater(name); // the other question has not ended yet
          }
        });
  }

  private Completion ask(String name) throws InterruptedException {
    if (!resolver.isMissed(name)) {
      return Completion.DONE;
    }
    switch (DriverCheck.decide(server.attachRequired(name))) {
      case GONE, CHANGED -> {
        if (resolver.missesNoMore(name)) {
          triggers.accept(new Trigger.OfDriver(name));
        }
      }
      case DOUBTFUL -> askLater(name);
    }
    return Completion.DONE;
  }
}
