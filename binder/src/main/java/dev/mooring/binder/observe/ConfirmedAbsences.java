package dev.mooring.binder.observe;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the server has said that it does not have, by the claims that asked for it: a claim that
 * waits for something that is not there would ask again at every look. What comes later comes
 * through the cache, and is seen there first. Holds nothing for claims that never asked.
 * Thread-safe.
 */
public final class ConfirmedAbsences {
  private record Asked(Uid claim, LiveFacts absences) {}

  private final Map<ObjectKey, Asked> byClaim = new ConcurrentHashMap<>();

  /** Nobody has asked. */
  public ConfirmedAbsences() {}

  /** The facts with what is remembered of all these questions; empty if one was never answered. */
  public Optional<LiveFacts> answer(Claim claim, List<Question<?>> questions, LiveFacts facts) {
    LiveFacts known = of(claim);
    LiveFacts all = facts;
    for (Question<?> question : questions) {
      if (!known.has(question)) {
        return Optional.empty();
      }
      all = noted(all, question, known);
    }
    return Optional.of(all);
  }

  private LiveFacts of(Claim claim) {
    Asked asked = byClaim.get(claim.key());
    return asked != null && asked.claim().equals(claim.meta().uid())
        ? asked.absences()
        : LiveFacts.NONE;
  }

  /** Notes those of the questions that were answered by "there is none". */
  public void note(Claim claim, List<Question<?>> questions, LiveFacts answers) {
    LiveFacts known = of(claim);
    LiveFacts more = known;
    for (Question<?> question : questions) {
      more = noted(more, question, answers);
    }
    if (more != known) {
      byClaim.put(claim.key(), new Asked(claim.meta().uid(), more));
    }
  }

  private static <T> LiveFacts noted(LiveFacts to, Question<T> question, LiveFacts answers) {
    return answers.of(question) instanceof Fact.Absent<T> absent ? to.with(question, absent) : to;
  }

  /** The claim is gone, or misses nothing any more. */
  public void forget(ObjectKey claim) {
    byClaim.remove(claim);
  }
}
