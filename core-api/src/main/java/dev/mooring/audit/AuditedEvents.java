package dev.mooring.audit;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Meta;
import dev.mooring.time.Time;
import dev.mooring.workqueue.OwnDoing;
import java.time.Duration;
import java.util.List;

/**
 * Tells events through another sink, and notes each. Thread-safe.
 *
 * @param events does the telling
 * @param time the clock
 */
public record AuditedEvents(EventSink events, AuditSink sink, Time time) implements EventSink {
  @Override
  public void tell(ClusterEvent event) {
    events.tell(event);
    note(event);
  }

  @Override
  public void tell(ClusterEvent event, Runnable lost) {
    events.tell(event, lost);
    note(event);
  }

  private void note(ClusterEvent event) {
    Meta about = event.about();
    sink.note(
        new AuditEntry(
            time.now(),
            OwnDoing.doer().because(event.reason()),
            "event",
            new AuditEntry.Target(event.kind().kind(), about.key(), about.uid().toString()),
            new AuditEntry.Change(List.of(), about.resourceVersion(), 0),
            "told",
            event.note(),
            Duration.ZERO));
  }
}
