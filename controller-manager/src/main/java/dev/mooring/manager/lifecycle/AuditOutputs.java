package dev.mooring.manager.lifecycle;

import dev.mooring.audit.AuditSink;
import dev.mooring.informer.SharedInformers;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.audit.AuditTail;
import java.io.IOException;
import java.util.Optional;

record AuditOutputs(Optional<AuditLog> log, Optional<AuditTail> tail, ManagerActions actions) {
  static AuditOutputs none(ManagerActions actions) {
    return new AuditOutputs(Optional.empty(), Optional.empty(), actions);
  }

  static AuditOutputs of(ManagerConfig config) throws IOException {
    Optional<AuditLog> log =
        config.audit().isPresent()
            ? Optional.of(AuditLog.open(config.audit().get()))
            : Optional.empty();
    AuditSink logSink = log.isPresent() ? log.get() : AuditSink.NONE;
    Optional<AuditTail> tail =
        config.console().isPresent() ? Optional.of(new AuditTail(logSink)) : Optional.empty();
    AuditSink sink = tail.isPresent() ? tail.get() : logSink;
    return new AuditOutputs(log, tail, new ManagerActions.Performed(sink, new SharedInformers()));
  }
}
