package dev.mooring.manager.lifecycle;

import dev.mooring.audit.AuditSink;
import dev.mooring.manager.audit.AuditLog;
import dev.mooring.manager.audit.AuditTail;
import java.io.IOException;
import java.util.Optional;

/**
 * Where it is noted what is decided and done.
 *
 * @param log the file, if there is one
 * @param tail what the page shows of it, if there is a page
 * @param sink takes entries for both
 */
record Auditing(Optional<AuditLog> log, Optional<AuditTail> tail, AuditSink sink) {
  /**
   * As configured.
   *
   * @throws IOException if the log cannot be written
   */
  static Auditing of(ManagerConfig config) throws IOException {
    Optional<AuditLog> log =
        config.audit().isPresent()
            ? Optional.of(AuditLog.open(config.audit().get()))
            : Optional.empty();
    AuditSink noting = log.isPresent() ? log.get() : AuditSink.NONE;
    Optional<AuditTail> tail =
        config.console().isPresent() ? Optional.of(new AuditTail(noting)) : Optional.empty();
    return new Auditing(log, tail, tail.isPresent() ? tail.get() : noting);
  }
}
