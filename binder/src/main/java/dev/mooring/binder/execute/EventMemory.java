package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.Repetition;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The last event of each claim and volume, and so which event is due. One for every object that
 * ever had any, until the object is gone: whatever is dropped before would be told again by the
 * next look at it. Thread-safe.
 */
final class EventMemory {
  private static final long DETAILS_LAST = Duration.ofMinutes(5).toNanos();

  /**
   * An object's last event: not its texts, which may be long and many, but their sums.
   *
   * @param uid of which object; its successor of the same name is another
   * @param why for what reason it waits; SILENT for none
   * @param looked when the details were last looked at
   * @param said when it was last told
   * @param lost whether that came to nothing
   */
  record LastEvent(
      Uid uid, Reason why, long subject, long details, long looked, long said, boolean lost) {
    private static final LastEvent NONE = new LastEvent(Uid.NONE, Reason.SILENT, 0, 0, 0, 0, false);

    private LastEvent withLoss() {
      return new LastEvent(uid, why, subject, details, looked, said, true);
    }
  }

  /**
   * Why something waits, as it may be told.
   *
   * @param action what was being done
   * @param note the reason in words
   */
  record Statement(Kind<?> kind, Meta about, Reason why, String action, String note) {}

  /**
   * An event to be told now.
   *
   * @param details what is told beside the statement
   * @param isNew whether it says anything that was not told last
   * @param before for what reason the object waited
   * @param event what is remembered of it
   */
  record Due(String details, boolean isNew, Reason before, LastEvent event) {}

  private final Time time;
  private final boolean repeats;
  private final Map<ObjectKey, LastEvent> ofClaims = new ConcurrentHashMap<>();
  private final Map<ObjectKey, LastEvent> ofVolumes = new ConcurrentHashMap<>();

  /**
   * Remembers nothing yet.
   *
   * @param repeats whether what stands is told at every look, as in Kubernetes
   */
  EventMemory(Time time, boolean repeats) {
    this.time = time;
    this.repeats = repeats;
  }

  /**
   * What is to be told of it: another reason than was told last, or, after a while, the same reason
   * with other details. What stands is told again before its event expires, and when it was lost.
   *
   * @param details asked for only if they may matter
   */
  Optional<Due> due(Statement statement, Supplier<String> details) {
    Meta about = statement.about();
    Map<ObjectKey, LastEvent> known = lastEvents(statement.kind());
    long subject = sum(statement.why() + " " + statement.note());
    long now = time.nanos();
    LastEvent last = last(known, about);
    boolean same = last.subject() == subject;
    boolean again = same && isToldAgain(last, now);
    if (same && !again && now - last.looked() < DETAILS_LAST) {
      return Optional.empty();
    }
    String more = details.get();
    boolean isNew = !same || last.details() != sum(more);
    boolean said = isNew || again;
    LastEvent event =
        new LastEvent(
            about.uid(),
            statement.why(),
            subject,
            sum(more),
            now,
            said ? now : last.said(),
            !said && last.lost());
    known.put(about.key(), event);
    return said ? Optional.of(new Due(more, isNew, last.why(), event)) : Optional.empty();
  }

  private boolean isToldAgain(LastEvent last, long now) {
    return repeats
        || Repetition.isDue(Duration.ofNanos(now - last.said()), last.lost(), last.uid());
  }

  /** What was told came to nothing. */
  void lost(Statement statement, LastEvent event) {
    lastEvents(statement.kind())
        .computeIfPresent(
            statement.about().key(),
            (key, heard) -> heard.equals(event) ? heard.withLoss() : heard);
  }

  /** Remembers a success; whether it was not told last. */
  boolean isNew(Kind<?> kind, Meta about, String success) {
    long now = time.nanos();
    LastEvent event =
        new LastEvent(about.uid(), Reason.SILENT, sum(success), sum(""), now, now, false);
    LastEvent last = lastEvents(kind).put(about.key(), event);
    return last == null || !last.uid().equals(event.uid()) || last.subject() != event.subject();
  }

  /** For what reason the claim waits, as it was told last; SILENT if nothing was. */
  Reason reasonOf(Meta claim) {
    return last(ofClaims, claim).why();
  }

  /** Forgets what was told of a claim, if it was of this one: the next event is due at once. */
  void settled(Meta claim) {
    if (last(ofClaims, claim) != LastEvent.NONE) {
      ofClaims.remove(claim.key());
    }
  }

  void claimIsGone(ObjectKey claim) {
    ofClaims.remove(claim);
  }

  void volumeIsGone(ObjectKey volume) {
    ofVolumes.remove(volume);
  }

  private Map<ObjectKey, LastEvent> lastEvents(Kind<?> kind) {
    return kind.equals(Kind.CLAIM) ? ofClaims : ofVolumes;
  }

  private static LastEvent last(Map<ObjectKey, LastEvent> known, Meta about) {
    LastEvent last = known.getOrDefault(about.key(), LastEvent.NONE);
    return last.uid().equals(about.uid()) ? last : LastEvent.NONE;
  }

  private static long sum(String text) {
    long sum = 0xcbf29ce484222325L; // FNV-1a
    for (int i = 0; i < text.length(); i++) {
      sum = (sum ^ text.charAt(i)) * 0x100000001b3L;
    }
    return sum;
  }
}
