package dev.mooring.binder.observe;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server has said that it does not have, by the claims that asked for it: a claim that
 * waits for something that is not there would ask again at every look. What comes later comes
 * through the cache, and is seen there first.
 *
 * <p>That there is no class of some name counts for a little while for every claim that was there
 * before the server was asked, as if it had asked itself: a thousand claims that an administrator's
 * volumes wait for name one class, which nobody has made. Thread-safe.
 */
public final class ConfirmedAbsences {
  private static final long LASTS = Duration.ofSeconds(5).toNanos();

  /** Names of classes are chosen by whoever makes claims: so many are kept. */
  private static final int MOST_CLASSES = 256;

  private record Asked(Uid claim, LiveFacts absences) {}

  /**
   * When a question was about to be asked.
   *
   * @param claims the version up to which claims were known
   * @param nanos the time
   */
  public record Moment(long claims, long nanos) {}

  private final LongSupplier claims;
  private final Time time;
  private final Map<ObjectKey, Asked> byClaim = new ConcurrentHashMap<>();
  private final Map<Question<?>, Moment> classes = new ConcurrentHashMap<>();

  /**
   * Nobody has asked.
   *
   * @param claims the version up to which claims are known
   */
  public ConfirmedAbsences(LongSupplier claims, Time time) {
    this.claims = claims;
    this.time = time;
  }

  /** Now, before something is asked. */
  public Moment now() {
    return new Moment(claims.getAsLong(), time.nanos());
  }

  /** The facts with what is remembered of all these questions; empty if one was never answered. */
  public Optional<LiveFacts> answer(Claim claim, List<Question<?>> questions, LiveFacts facts) {
    LiveFacts known = of(claim);
    LiveFacts all = facts;
    for (Question<?> question : questions) {
      if (known.has(question)) {
        all = noted(all, question, known);
      } else if (answersFor(claim, classes.get(question))) {
        all = absent(all, question);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(all);
  }

  private boolean answersFor(Claim claim, @Nullable Moment asked) {
    return asked != null && claim.meta().resourceVersion() <= asked.claims() && !isOld(asked);
  }

  private boolean isOld(Moment asked) {
    return time.nanos() - asked.nanos() > LASTS;
  }

  private LiveFacts of(Claim claim) {
    Asked asked = byClaim.get(claim.key());
    return asked != null && asked.claim().equals(claim.meta().uid())
        ? asked.absences()
        : LiveFacts.NONE;
  }

  /**
   * Notes those of the questions that were answered by "there is none".
   *
   * @param began a moment before they were asked
   */
  public void note(Claim claim, List<Question<?>> questions, LiveFacts answers, Moment began) {
    LiveFacts known = of(claim);
    LiveFacts more = known;
    for (Question<?> question : questions) {
      LiveFacts next = noted(more, question, answers);
      if (next != more && isClass(question)) {
        keep(question, began);
      }
      more = next;
    }
    if (more != known) {
      byClaim.put(claim.key(), new Asked(claim.meta().uid(), more));
    }
  }

  private static boolean isClass(Question<?> question) {
    return question instanceof Question.One<?> one && one.kind().equals(Kind.STORAGE_CLASS);
  }

  private void keep(Question<?> question, Moment began) {
    if (classes.size() >= MOST_CLASSES) {
      classes.values().removeIf(this::isOld);
    }
    if (classes.size() < MOST_CLASSES || classes.containsKey(question)) {
      classes.merge(question, began, (a, b) -> a.nanos() - b.nanos() > 0 ? a : b);
    }
  }

  private static <T> LiveFacts noted(LiveFacts to, Question<T> question, LiveFacts answers) {
    return answers.of(question) instanceof Fact.Absent<T> ? absent(to, question) : to;
  }

  private static <T> LiveFacts absent(LiveFacts to, Question<T> question) {
    return to.with(question, new Fact.Absent<>());
  }

  /** The claim is gone, or misses nothing any more. */
  public void forget(ObjectKey claim) {
    byClaim.remove(claim);
  }
}
