package dev.mooring.audit;

/**
 * Takes entries. Never blocks and never fails: under pressure entries are dropped and counted, not
 * waited for. Thread-safe.
 */
@FunctionalInterface
public interface AuditSink {
  /** Takes none. */
  AuditSink NONE = entry -> {};

  /** Takes it. */
  void note(AuditEntry entry);
}
