package dev.mooring.manager.lifecycle;

import dev.mooring.audit.AuditSink;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.audit.AuditTail;
import java.io.IOException;
import java.util.Optional;

record AuditOutputs(Optional<AuditLog> log, Optional<AuditTail> tail, AuditSink sink) {
  static AuditOutputs of(ManagerConfig config) throws IOException {
    Optional<AuditLog> log =
        config.audit().isPresent()
            ? Optional.of(AuditLog.open(config.audit().get()))
            : Optional.empty();
    AuditSink logSink = log.isPresent() ? log.get() : AuditSink.NONE;
    Optional<AuditTail> tail =
        config.console().isPresent() ? Optional.of(new AuditTail(logSink)) : Optional.empty();
    return new AuditOutputs(log, tail, tail.isPresent() ? tail.get() : logSink);
  }
}
