package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Line of the audit log. The member names are the file format. Unknown members are ignored, and
 * missing members are empty.
 *
 * @param time end of the operation, RFC 3339 with microseconds
 * @param controller name in {@code --controllers}
 * @param key key of the reconcile
 * @param decision decision of the controller
 * @param reason reason code of docs/reasons.md, or an event's reason
 * @param did the action
 * @param kind kind of the object
 * @param fields written fields
 * @param from resourceVersion that the decision is based on; 0 for none
 * @param to resourceVersion after the write; 0 for none
 * @param result outcome
 * @param note text for people
 * @param ms duration in milliseconds
 */
public record AuditLine(
    String time,
    String controller,
    String key,
    String decision,
    String reason,
    String did,
    String kind,
    String namespace,
    String name,
    String uid,
    List<String> fields,
    long from,
    long to,
    String result,
    String note,
    double ms) {
  public static final String LOSE = "lose";

  private static final int MAX_NOTE_LENGTH = 1024;
  private static final double MICROS_PER_MILLI = 1000;

  public static AuditLine of(AuditEntry entry) {
    return new AuditLine(
        formatTime(entry.endTime()),
        entry.origin().controller(),
        entry.origin().key(),
        entry.origin().decision(),
        entry.origin().reason(),
        entry.action(),
        entry.target().kind(),
        entry.target().key().namespace(),
        entry.target().key().name(),
        entry.target().uid(),
        entry.change().fields(),
        entry.change().versionBefore(),
        entry.change().versionAfter(),
        entry.result(),
        truncateNote(entry.message()),
        entry.duration().toNanos() / 1000 / MICROS_PER_MILLI);
  }

  static AuditLine ofLoss(Instant instant, long lines, String cause) {
    return new AuditLine(
        formatTime(instant),
        "",
        "",
        "",
        "",
        LOSE,
        "",
        "",
        "",
        "",
        List.of(),
        0,
        0,
        "lost",
        lines + " lines are missing here: " + cause,
        0);
  }

  private static String formatTime(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).toString();
  }

  private static String truncateNote(String note) {
    return note.length() <= MAX_NOTE_LENGTH ? note : note.substring(0, MAX_NOTE_LENGTH - 3) + "...";
  }

  public String json() {
    LineWriter writer = new LineWriter();
    writer.appendObject(this);
    return writer.toString();
  }
}
