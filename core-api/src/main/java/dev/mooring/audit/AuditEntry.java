package dev.mooring.audit;

import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.OwnDoing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One thing that was done.
 *
 * @param at when it had ended
 * @param by which controller did it, for which key, and what it had decided
 * @param did what it was: {@code create}, {@code patch}, {@code patch-status}, {@code delete},
 *     {@code event}, {@code reconcile}, or the name of a slow operation, such as {@code provision}
 * @param target what it was done to
 * @param change what a write was to change
 * @param result how it ended; a stable token in small letters
 * @param note for people: the event's note, or why it failed; "" for nothing. Never a secret
 * @param took how long it took
 */
public record AuditEntry(
    Instant at,
    OwnDoing.Doer by,
    String did,
    Target target,
    Change change,
    String result,
    String note,
    Duration took) {
  /**
   * An object.
   *
   * @param kind its kind; "" where nothing but the key of {@link #by} is known
   * @param key its name
   * @param uid its uid; "" if that is not known yet
   */
  public record Target(String kind, ObjectKey key, String uid) {
    /** What the key says, and nothing else. */
    public static final Target NONE = new Target("", ObjectKey.cluster(""), "");
  }

  /**
   * A change of an object.
   *
   * @param fields the paths of the members that were written, {@code path=value} where the value is
   *     one of those that no secret can stand in, {@code -path} for those that were removed
   * @param from the resourceVersion that was decided upon; 0 for none
   * @param to the resourceVersion that it has since; 0 for none
   */
  public record Change(List<String> fields, long from, long to) {
    /** None. */
    public static final Change NONE = new Change(List.of(), 0, 0);

    /** Copies the list. */
    public Change {
      fields = List.copyOf(fields);
    }
  }
}
