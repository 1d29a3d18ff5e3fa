package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * One line of the log, as it is written and read. The members' names are the format; what a version
 * does not know it passes over, and what is missing is empty.
 *
 * @param time when it had ended, RFC 3339 with microseconds
 * @param controller the controller's name in {@code --controllers}
 * @param key what it was working on
 * @param decision what it had decided
 * @param reason why, a code of docs/reasons.md or an event's reason
 * @param did what was done
 * @param kind what it was done to
 * @param namespace its namespace
 * @param name its name
 * @param uid its uid
 * @param fields what was written
 * @param from the resourceVersion that was decided upon, 0 for none
 * @param to the resourceVersion since, 0 for none
 * @param result how it ended
 * @param note for people
 * @param ms how many milliseconds it took
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
  /** Says that lines are missing. */
  public static final String LOSE = "lose";

  private static final int LONGEST_NOTE = 1024;
  private static final double MICROS_PER_MILLI = 1000;

  /** The line of that entry. */
  public static AuditLine of(AuditEntry entry) {
    return new AuditLine(
        stamp(entry.at()),
        entry.by().controller(),
        entry.by().key(),
        entry.by().decision(),
        entry.by().reason(),
        entry.did(),
        entry.target().kind(),
        entry.target().key().namespace(),
        entry.target().key().name(),
        entry.target().uid(),
        entry.change().fields(),
        entry.change().from(),
        entry.change().to(),
        entry.result(),
        cut(entry.note()),
        entry.took().toNanos() / 1000 / MICROS_PER_MILLI);
  }

  /** The line that says that others are missing. */
  static AuditLine ofLoss(Instant at, long lines, String why) {
    return new AuditLine(
        stamp(at),
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
        lines + " lines are missing here: " + why,
        0);
  }

  private static String stamp(Instant at) {
    return at.truncatedTo(ChronoUnit.MICROS).toString();
  }

  private static String cut(String note) {
    return note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE - 3) + "...";
  }

  /** As JSON on one line, without its end; what is empty is left out. */
  public String json() {
    LineWriter writer = new LineWriter();
    writer.object(this);
    return writer.toString();
  }
}
