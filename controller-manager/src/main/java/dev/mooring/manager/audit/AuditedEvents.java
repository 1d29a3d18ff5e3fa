package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Meta;
import dev.mooring.time.Time;
import dev.mooring.workqueue.ReconcileContext;
import java.time.Duration;
import java.util.List;

/** Forwards events to another sink and adds an audit entry for each. Thread-safe. */
public record AuditedEvents(EventSink events, AuditSink sink, Time time) implements EventSink {
  @Override
  public void emit(ClusterEvent event) {
    events.emit(event);
    audit(event);
  }

  @Override
  public void emit(ClusterEvent event, Runnable onLoss) {
    events.emit(event, onLoss);
    audit(event);
  }

  private void audit(ClusterEvent event) {
    Meta meta = event.subject();
    sink.record(
        new AuditEntry(
            time.now(),
            ReconcileContext.actionOrigin().withReason(event.reason()),
            "event",
            new AuditEntry.Target(event.kind().kind(), meta.key(), meta.uid().toString()),
            new AuditEntry.Change(List.of(), meta.resourceVersion(), 0),
            "emitted",
            event.note(),
            Duration.ZERO));
  }
}
