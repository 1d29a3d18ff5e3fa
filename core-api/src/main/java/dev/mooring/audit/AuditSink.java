package dev.mooring.audit;

import dev.mooring.workqueue.ReconcileContext.ReconcileListener;

/**
 * Receives audit entries. Never blocks and never throws; under pressure it drops and counts
 * entries. Thread-safe.
 */
@FunctionalInterface
public interface AuditSink {
  AuditSink NONE = entry -> {};

  void record(AuditEntry entry);

  /**
   * Called before each reconcile, on its thread. Must be quick.
   *
   * @param reconcile identifies the reconcile; its origin names controller and key
   */
  default void reconcileStarting(ReconcileListener reconcile) {}

  /** Called after each reconcile, with the argument of {@link #reconcileStarting}. */
  default void reconcileEnded(ReconcileListener reconcile) {}
}
