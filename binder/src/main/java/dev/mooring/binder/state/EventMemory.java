package dev.mooring.binder.state;

import dev.mooring.binder.decide.EventRepetition;
import dev.mooring.binder.decide.Reason;
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
 * Last event of each claim and volume; determines which event is due. An entry stays until its
 * object is gone: if it were dropped earlier, the next sync would emit the event again.
 * Thread-safe.
 */
public final class EventMemory {
  private static final long DETAILS_LAST = Duration.ofMinutes(5).toNanos();

  /**
   * Last event of an object. It holds hashes instead of texts, which may be long and many.
   *
   * @param uid uid of the object; a later object of the same name has another
   * @param why reason of the event; SILENT if there was none
   * @param detailsAt when the details were last computed
   * @param emittedAt when the event was last emitted
   * @param lost whether the event failed to send
   */
  public record LastEvent(
      Uid uid,
      Reason why,
      long subject,
      long details,
      long detailsAt,
      long emittedAt,
      boolean lost) {
    private static final LastEvent NONE = new LastEvent(Uid.NONE, Reason.SILENT, 0, 0, 0, 0, false);

    private LastEvent withLoss() {
      return new LastEvent(uid, why, subject, details, detailsAt, emittedAt, true);
    }
  }

  public record PendingEvent(Kind<?> kind, Meta about, Reason why, String action, String note) {}

  public record DueEvent(String details, boolean isNew, Reason before, LastEvent event) {}

  private final Time time;
  private final boolean repeats;
  private final Map<ObjectKey, LastEvent> ofClaims = new ConcurrentHashMap<>();
  private final Map<ObjectKey, LastEvent> ofVolumes = new ConcurrentHashMap<>();
  private final Map<ObjectKey, String> texts = new ConcurrentHashMap<>();

  /**
   * Creates an empty memory.
   *
   * @param repeats whether unchanged events are due at every sync, as in Kubernetes
   */
  public EventMemory(Time time, boolean repeats) {
    this.time = time;
    this.repeats = repeats;
  }

  /**
   * Returns the event if it is due: the reason changed, or, after a while, the details of the same
   * reason changed. An unchanged event is due again before the API server drops it, and after it
   * failed to send.
   *
   * @param details called only if the details may matter
   */
  public Optional<DueEvent> due(PendingEvent statement, Supplier<String> details) {
    Meta about = statement.about();
    Map<ObjectKey, LastEvent> known = lastEvents(statement.kind());
    long subject = hash(statement.why() + " " + statement.note());
    long now = time.nanos();
    LastEvent last = last(known, about);
    boolean same = last.subject() == subject;
    boolean again = same && isRepeated(last, now);
    if (same && !again && now - last.detailsAt() < DETAILS_LAST) {
      return Optional.empty();
    }
    String more = details.get();
    boolean isNew = !same || last.details() != hash(more);
    boolean emits = isNew || again;
    LastEvent event =
        new LastEvent(
            about.uid(),
            statement.why(),
            subject,
            hash(more),
            now,
            emits ? now : last.emittedAt(),
            !emits && last.lost());
    known.put(about.key(), event);
    return emits ? Optional.of(new DueEvent(more, isNew, last.why(), event)) : Optional.empty();
  }

  private boolean isRepeated(LastEvent last, long now) {
    return repeats
        || EventRepetition.isDue(Duration.ofNanos(now - last.emittedAt()), last.lost(), last.uid());
  }

  public void lost(PendingEvent statement, LastEvent event) {
    lastEvents(statement.kind())
        .computeIfPresent(
            statement.about().key(),
            (key, heard) -> heard.equals(event) ? heard.withLoss() : heard);
  }

  public boolean isNew(Kind<?> kind, Meta about, String success) {
    long now = time.nanos();
    LastEvent event =
        new LastEvent(about.uid(), Reason.SILENT, hash(success), hash(""), now, now, false);
    LastEvent last = lastEvents(kind).put(about.key(), event);
    return last == null || !last.uid().equals(event.uid()) || last.subject() != event.subject();
  }

  public Reason reasonOf(Meta claim) {
    return last(ofClaims, claim).why();
  }

  /** Returns the text of the claim's last event; "" if {@link #keepText} was not called since. */
  public String textOf(Meta claim) {
    return texts.getOrDefault(claim.key(), "");
  }

  public void keepText(Meta claim, String text) {
    texts.put(claim.key(), text);
  }

  public void dropText(Meta claim) {
    texts.remove(claim.key());
  }

  public void settled(Meta claim) {
    texts.remove(claim.key());
    if (last(ofClaims, claim) != LastEvent.NONE) {
      ofClaims.remove(claim.key());
    }
  }

  void claimIsGone(ObjectKey claim) {
    texts.remove(claim);
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

  private static long hash(String text) {
    long sum = 0xcbf29ce484222325L; // FNV-1a
    for (int i = 0; i < text.length(); i++) {
      sum = (sum ^ text.charAt(i)) * 0x100000001b3L;
    }
    return sum;
  }
}
