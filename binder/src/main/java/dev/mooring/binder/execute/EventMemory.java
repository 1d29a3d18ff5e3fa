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
 * What was last told of each claim and volume, and so what is news. A word for every one that was
 * ever spoken of, until it is gone: whatever is dropped before would be told again by the next look
 * at it. Thread-safe.
 */
final class EventMemory {
  private static final long DETAILS_LAST = Duration.ofMinutes(5).toNanos();

  /**
   * What was last told of an object: not the words, which may be long and many, but their sums.
   *
   * @param uid of which object; its successor of the same name is another
   * @param why for what reason it waits; SILENT for none
   * @param looked when the details were last looked at
   * @param said when it was last told
   * @param lost whether that came to nothing
   */
  record Word(
      Uid uid, Reason why, long subject, long details, long looked, long said, boolean lost) {
    private static final Word NONE = new Word(Uid.NONE, Reason.SILENT, 0, 0, 0, 0, false);

    private Word withLoss() {
      return new Word(uid, why, subject, details, looked, said, true);
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
   * What is told now.
   *
   * @param details what is told beside the statement
   * @param news whether it says anything that was not told last
   * @param before for what reason the object waited
   * @param word what is remembered of it
   */
  record Due(String details, boolean news, Reason before, Word word) {}

  private final Time time;
  private final boolean repeats;
  private final Map<ObjectKey, Word> ofClaims = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Word> ofVolumes = new ConcurrentHashMap<>();

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
    Map<ObjectKey, Word> told = told(statement.kind());
    long subject = sum(statement.why() + " " + statement.note());
    long now = time.nanos();
    Word last = last(told, about);
    boolean same = last.subject() == subject;
    boolean again = same && isToldAgain(last, now);
    if (same && !again && now - last.looked() < DETAILS_LAST) {
      return Optional.empty();
    }
    String more = details.get();
    boolean news = !same || last.details() != sum(more);
    boolean said = news || again;
    Word word =
        new Word(
            about.uid(),
            statement.why(),
            subject,
            sum(more),
            now,
            said ? now : last.said(),
            !said && last.lost());
    told.put(about.key(), word);
    return said ? Optional.of(new Due(more, news, last.why(), word)) : Optional.empty();
  }

  private boolean isToldAgain(Word last, long now) {
    return repeats
        || Repetition.isDue(Duration.ofNanos(now - last.said()), last.lost(), last.uid());
  }

  /** What was told came to nothing. */
  void lost(Statement statement, Word word) {
    told(statement.kind())
        .computeIfPresent(
            statement.about().key(), (key, heard) -> heard.equals(word) ? heard.withLoss() : heard);
  }

  /** Remembers a success; whether it was not told last. */
  boolean isNews(Kind<?> kind, Meta about, String success) {
    long now = time.nanos();
    Word word = new Word(about.uid(), Reason.SILENT, sum(success), sum(""), now, now, false);
    Word last = told(kind).put(about.key(), word);
    return last == null || !last.uid().equals(word.uid()) || last.subject() != word.subject();
  }

  /** For what reason the claim waits, as it was told last; SILENT if nothing was. */
  Reason reasonOf(Meta claim) {
    return last(ofClaims, claim).why();
  }

  /** Forgets what was told of a claim, if it was of this one: the next word is news. */
  void settled(Meta claim) {
    if (last(ofClaims, claim) != Word.NONE) {
      ofClaims.remove(claim.key());
    }
  }

  void claimIsGone(ObjectKey claim) {
    ofClaims.remove(claim);
  }

  void volumeIsGone(ObjectKey volume) {
    ofVolumes.remove(volume);
  }

  private Map<ObjectKey, Word> told(Kind<?> kind) {
    return kind.equals(Kind.CLAIM) ? ofClaims : ofVolumes;
  }

  private static Word last(Map<ObjectKey, Word> told, Meta about) {
    Word last = told.getOrDefault(about.key(), Word.NONE);
    return last.uid().equals(about.uid()) ? last : Word.NONE;
  }

  private static long sum(String text) {
    long sum = 0xcbf29ce484222325L; // FNV-1a
    for (int i = 0; i < text.length(); i++) {
      sum = (sum ^ text.charAt(i)) * 0x100000001b3L;
    }
    return sum;
  }
}
