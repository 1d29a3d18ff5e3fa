package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.csi.decide.OutageRules;
import dev.mooring.csi.state.OutageMemory;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.time.Time;
import java.time.Duration;

/**
 * Reports a driver that does not answer to the claims and attachments that wait for it: after a
 * grace period, and again while the outage lasts. Not thread-safe.
 */
public final class OutageMonitor {
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final String REASON = "DriverUnavailable";

  private final DriverSession session;
  private final OutageRules rules;
  private final WaitingCaches caches;
  private final EventSink events;
  private final Time time;
  private final OutageMemory memory = new OutageMemory();

  public record WaitingCaches(Informer<Claim> claims, Informer<Attachment> attachments) {}

  public OutageMonitor(
      DriverSession session, OutageRules rules, WaitingCaches caches, EventSink events, Time time) {
    this.session = session;
    this.rules = rules;
    this.caches = caches;
    this.events = events;
    this.time = time;
  }

  public void check() {
    String problem = session.problem();
    if (problem.isEmpty()) {
      memory.endOutage();
    } else if (memory.continueOutage(time.nanos())) {
      reportAll("CSI driver " + rules.driver() + " is unavailable: " + problem);
    }
  }

  private void reportAll(String message) {
    for (Claim claim : caches.claims().snapshot().objects()) {
      if (rules.isWaiting(claim)) {
        report(Kind.CLAIM, claim.meta(), message);
      }
    }
    for (Attachment attachment : caches.attachments().snapshot().objects()) {
      if (rules.isWaiting(attachment)) {
        report(Kind.ATTACHMENT, attachment.meta(), message);
      }
    }
  }

  private void report(Kind<?> kind, Meta object, String message) {
    if (memory.recordReport(object.uid())) {
      events.emit(
          new ClusterEvent(
              kind,
              object,
              ClusterEvent.Type.WARNING,
              REASON,
              "CallingDriver",
              message + "; Mooring calls it again every second. Check the driver's pod and socket",
              "csi-session/" + rules.driver()));
    }
  }
}
