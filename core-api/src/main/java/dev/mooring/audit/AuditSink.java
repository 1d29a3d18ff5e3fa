package dev.mooring.audit;

/**
 * Receives audit entries. Never blocks and never throws; under pressure it drops and counts
 * entries. Thread-safe.
 */
@FunctionalInterface
public interface AuditSink {
  AuditSink NONE = entry -> {};

  void record(AuditEntry entry);
}
