package dev.mooring.binder.state;

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
 * Absences that the API server has confirmed, by claim: a claim that waits for a missing object
 * would otherwise ask at every sync. An object that is created later reaches the cache first.
 *
 * <p>The absence of a class counts for a short time for every claim that existed before the API
 * server was asked. So a thousand claims that name one missing class ask once. Thread-safe.
 */
public final class ConfirmedAbsences {
  private static final long LASTS = Duration.ofSeconds(5).toNanos();

  // limits the memory, because users choose the names of classes
  private static final int MOST_CLASSES = 256;

  private record AskedQuestion(Uid claim, LiveFacts absences) {}

  public record QuestionTime(long claims, long nanos) {}

  private final LongSupplier claims;
  private final Time time;
  private final Map<ObjectKey, AskedQuestion> byClaim = new ConcurrentHashMap<>();
  private final Map<Question<?>, QuestionTime> classes = new ConcurrentHashMap<>();

  public ConfirmedAbsences(LongSupplier claims, Time time) {
    this.claims = claims;
    this.time = time;
  }

  public QuestionTime now() {
    return new QuestionTime(claims.getAsLong(), time.nanos());
  }

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

  private boolean answersFor(Claim claim, @Nullable QuestionTime asked) {
    return asked != null && claim.meta().resourceVersion() <= asked.claims() && !isOld(asked);
  }

  private boolean isOld(QuestionTime asked) {
    return time.nanos() - asked.nanos() > LASTS;
  }

  private LiveFacts of(Claim claim) {
    AskedQuestion asked = byClaim.get(claim.key());
    return asked != null && asked.claim().equals(claim.meta().uid())
        ? asked.absences()
        : LiveFacts.NONE;
  }

  public void note(
      Claim claim, List<Question<?>> questions, LiveFacts answers, QuestionTime began) {
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
      byClaim.put(claim.key(), new AskedQuestion(claim.meta().uid(), more));
    }
  }

  private static boolean isClass(Question<?> question) {
    return question instanceof Question.One<?> one && one.kind().equals(Kind.STORAGE_CLASS);
  }

  private void keep(Question<?> question, QuestionTime began) {
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

  public void forget(ObjectKey claim) {
    byClaim.remove(claim);
  }
}
