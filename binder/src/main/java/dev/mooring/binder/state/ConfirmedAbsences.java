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
  private static final long VALIDITY_NANOS = Duration.ofSeconds(5).toNanos();

  // limits the memory, because users choose the names of classes
  private static final int MAX_CLASSES = 256;

  private record ClaimAbsences(Uid claim, LiveFacts absences) {}

  public record QuestionTime(long claimVersion, long nanos) {}

  private final LongSupplier claimVersion;
  private final Time time;
  private final Map<ObjectKey, ClaimAbsences> byClaim = new ConcurrentHashMap<>();
  private final Map<Question<?>, QuestionTime> classes = new ConcurrentHashMap<>();

  public ConfirmedAbsences(LongSupplier claimVersion, Time time) {
    this.claimVersion = claimVersion;
    this.time = time;
  }

  public QuestionTime currentTime() {
    return new QuestionTime(claimVersion.getAsLong(), time.nanos());
  }

  public Optional<LiveFacts> answer(Claim claim, List<Question<?>> questions, LiveFacts facts) {
    LiveFacts confirmed = absencesOf(claim);
    LiveFacts answers = facts;
    for (Question<?> question : questions) {
      if (confirmed.isAnswered(question)) {
        answers = copyAbsence(answers, question, confirmed);
      } else if (isConfirmedFor(claim, classes.get(question))) {
        answers = withAbsence(answers, question);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(answers);
  }

  private boolean isConfirmedFor(Claim claim, @Nullable QuestionTime askedAt) {
    return askedAt != null
        && claim.meta().resourceVersion() <= askedAt.claimVersion()
        && !isExpired(askedAt);
  }

  private boolean isExpired(QuestionTime askedAt) {
    return time.nanos() - askedAt.nanos() > VALIDITY_NANOS;
  }

  private LiveFacts absencesOf(Claim claim) {
    ClaimAbsences claimAbsences = byClaim.get(claim.key());
    return claimAbsences != null && claimAbsences.claim().equals(claim.meta().uid())
        ? claimAbsences.absences()
        : LiveFacts.NONE;
  }

  public void record(
      Claim claim, List<Question<?>> questions, LiveFacts answers, QuestionTime askedAt) {
    LiveFacts confirmed = absencesOf(claim);
    LiveFacts extended = confirmed;
    for (Question<?> question : questions) {
      LiveFacts withQuestion = copyAbsence(extended, question, answers);
      if (withQuestion != extended && isClass(question)) {
        recordClass(question, askedAt);
      }
      extended = withQuestion;
    }
    if (extended != confirmed) {
      byClaim.put(claim.key(), new ClaimAbsences(claim.meta().uid(), extended));
    }
  }

  private static boolean isClass(Question<?> question) {
    return question instanceof Question.ObjectRead<?> one && one.kind().equals(Kind.STORAGE_CLASS);
  }

  private void recordClass(Question<?> question, QuestionTime askedAt) {
    if (classes.size() >= MAX_CLASSES) {
      classes.values().removeIf(this::isExpired);
    }
    if (classes.size() < MAX_CLASSES || classes.containsKey(question)) {
      classes.merge(question, askedAt, (a, b) -> a.nanos() - b.nanos() > 0 ? a : b);
    }
  }

  private static <T> LiveFacts copyAbsence(
      LiveFacts facts, Question<T> question, LiveFacts answers) {
    return answers.of(question) instanceof Fact.Absent<T> ? withAbsence(facts, question) : facts;
  }

  private static <T> LiveFacts withAbsence(LiveFacts facts, Question<T> question) {
    return facts.with(question, new Fact.Absent<>());
  }

  public void forget(ObjectKey claim) {
    byClaim.remove(claim);
  }
}
