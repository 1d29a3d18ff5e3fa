package dev.mooring.audit;

import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.ReconcileContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Entry of the audit log: one write, event, slow operation or failed reconcile.
 *
 * @param endTime end of the action
 * @param origin controller, key and decision that caused the action
 * @param action {@code create}, {@code patch}, {@code patch-status}, {@code delete}, {@code event},
 *     {@code reconcile}, or the name of a slow operation, for example {@code provision}
 * @param result stable lower-case token
 * @param message the event's note or the error; "" for none; never contains a secret
 */
public record AuditEntry(
    Instant endTime,
    ReconcileContext.ActionOrigin origin,
    String action,
    Target target,
    Change change,
    String result,
    String message,
    Duration duration) {
  public record Target(String kind, ObjectKey key, String uid) {
    public static final Target NONE = new Target("", ObjectKey.cluster(""), "");
  }

  /**
   * Fields and versions of a write.
   *
   * @param fields paths of the written fields: {@code path=value} for fields that cannot contain a
   *     secret, {@code path} for others, {@code -path} for removed fields
   * @param versionBefore resourceVersion that the decision was based on; 0 for none
   * @param versionAfter resourceVersion after the write; 0 for none
   */
  public record Change(List<String> fields, long versionBefore, long versionAfter) {
    public static final Change NONE = new Change(List.of(), 0, 0);

    public Change {
      fields = List.copyOf(fields);
    }
  }
}
