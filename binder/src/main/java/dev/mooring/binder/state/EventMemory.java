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
   * @param reason reason of the event; SILENT if there was none
   * @param detailsNanos when the details were last computed
   * @param emittedNanos when the event was last emitted
   * @param sendFailed whether the event failed to send
   */
  public record LastEvent(
      Uid uid,
      Reason reason,
      long subject,
      long details,
      long detailsNanos,
      long emittedNanos,
      boolean sendFailed) {
    private static final LastEvent NONE = new LastEvent(Uid.NONE, Reason.SILENT, 0, 0, 0, 0, false);

    private LastEvent withSendFailure() {
      return new LastEvent(uid, reason, subject, details, detailsNanos, emittedNanos, true);
    }
  }

  public record PendingEvent(
      Kind<?> kind, Meta object, Reason reason, String action, String message) {}

  public record DueEvent(String details, boolean isNew, Reason lastReason, LastEvent event) {}

  private final Time time;
  private final boolean repeatsAlways;
  private final Map<ObjectKey, LastEvent> lastClaimEvents = new ConcurrentHashMap<>();
  private final Map<ObjectKey, LastEvent> lastVolumeEvents = new ConcurrentHashMap<>();
  private final Map<ObjectKey, String> claimTexts = new ConcurrentHashMap<>();

  /**
   * Creates an empty memory.
   *
   * @param repeatsAlways whether unchanged events are due at every sync, as in Kubernetes
   */
  public EventMemory(Time time, boolean repeatsAlways) {
    this.time = time;
    this.repeatsAlways = repeatsAlways;
  }

  /**
   * Returns the event if it is due: the reason changed, or, after a while, the details of the same
   * reason changed. An unchanged event is due again before the API server drops it, and after it
   * failed to send.
   *
   * @param details called only if the details may matter
   */
  public Optional<DueEvent> findDueEvent(PendingEvent pendingEvent, Supplier<String> details) {
    Meta object = pendingEvent.object();
    Map<ObjectKey, LastEvent> lastEvents = lastEvents(pendingEvent.kind());
    long subject = hash(pendingEvent.reason() + " " + pendingEvent.message());
    long now = time.nanos();
    LastEvent last = lastEventOf(lastEvents, object);
    boolean isUnchanged = last.subject() == subject;
    boolean isRepeated = isUnchanged && isRepeated(last, now);
    if (isUnchanged && !isRepeated && now - last.detailsNanos() < DETAILS_LAST) {
      return Optional.empty();
    }
    String currentDetails = details.get();
    boolean isNew = !isUnchanged || last.details() != hash(currentDetails);
    boolean isDue = isNew || isRepeated;
    LastEvent event =
        new LastEvent(
            object.uid(),
            pendingEvent.reason(),
            subject,
            hash(currentDetails),
            now,
            isDue ? now : last.emittedNanos(),
            !isDue && last.sendFailed());
    lastEvents.put(object.key(), event);
    return isDue
        ? Optional.of(new DueEvent(currentDetails, isNew, last.reason(), event))
        : Optional.empty();
  }

  private boolean isRepeated(LastEvent last, long now) {
    return repeatsAlways
        || EventRepetition.isDue(
            Duration.ofNanos(now - last.emittedNanos()), last.sendFailed(), last.uid());
  }

  public void recordSendFailure(PendingEvent pendingEvent, LastEvent event) {
    lastEvents(pendingEvent.kind())
        .computeIfPresent(
            pendingEvent.object().key(),
            (key, lastEvent) -> lastEvent.equals(event) ? lastEvent.withSendFailure() : lastEvent);
  }

  /** Records the success as the last event; returns whether it differs from the event before. */
  public boolean recordSuccess(Kind<?> kind, Meta object, String success) {
    long now = time.nanos();
    LastEvent event =
        new LastEvent(object.uid(), Reason.SILENT, hash(success), hash(""), now, now, false);
    LastEvent last = lastEvents(kind).put(object.key(), event);
    return last == null || !last.uid().equals(event.uid()) || last.subject() != event.subject();
  }

  public Reason reasonOf(Meta claim) {
    return lastEventOf(lastClaimEvents, claim).reason();
  }

  /** Returns the text of the claim's last event; "" if {@link #keepText} was not called since. */
  public String textOf(Meta claim) {
    return claimTexts.getOrDefault(claim.key(), "");
  }

  public void keepText(Meta claim, String text) {
    claimTexts.put(claim.key(), text);
  }

  public void dropText(Meta claim) {
    claimTexts.remove(claim.key());
  }

  public void forgetSettled(Meta claim) {
    claimTexts.remove(claim.key());
    if (lastEventOf(lastClaimEvents, claim) != LastEvent.NONE) {
      lastClaimEvents.remove(claim.key());
    }
  }

  void forgetClaim(ObjectKey claim) {
    claimTexts.remove(claim);
    lastClaimEvents.remove(claim);
  }

  void forgetVolume(ObjectKey volume) {
    lastVolumeEvents.remove(volume);
  }

  private Map<ObjectKey, LastEvent> lastEvents(Kind<?> kind) {
    return kind.equals(Kind.CLAIM) ? lastClaimEvents : lastVolumeEvents;
  }

  private static LastEvent lastEventOf(Map<ObjectKey, LastEvent> lastEvents, Meta object) {
    LastEvent last = lastEvents.getOrDefault(object.key(), LastEvent.NONE);
    return last.uid().equals(object.uid()) ? last : LastEvent.NONE;
  }

  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
