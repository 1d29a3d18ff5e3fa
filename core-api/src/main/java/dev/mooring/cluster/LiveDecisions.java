package dev.mooring.cluster;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.function.Function;

/**
 * Takes decisions that need live reads: decides, reads from the server what the decision asks for,
 * and decides again.
 */
public final class LiveDecisions {
  private LiveDecisions() {}

  /**
   * Decides and blocks for the live reads. A failed read is the fact {@link Fact.Unknown}; it is
   * not retried here.
   *
   * @param <D> type of the decisions
   * @param earlierFacts answers of earlier reads
   * @param decider function from answers to a step
   * @throws IllegalStateException if the decider repeats a question that has been answered
   */
  public static <D> D decide(
      LiveReader reader, LiveFacts earlierFacts, Function<LiveFacts, ? extends Step<D>> decider)
      throws InterruptedException {
    LiveFacts facts = earlierFacts;
    while (true) {
      switch (decider.apply(facts)) {
        case Step.Decided<D>(D decision) -> {
          return DecisionLog.recordDecision(decision);
        }
        case Step.Ask<D>(List<Question<?>> questions) ->
            facts = readFacts(reader, facts, questions);
      }
    }
  }

  public static LiveFacts readFacts(
      LiveReader reader, LiveFacts earlierFacts, List<Question<?>> questions)
      throws InterruptedException {
    LiveFacts facts = earlierFacts;
    for (Question<?> question : questions) {
      if (facts.isAnswered(question)) {
        throw new IllegalStateException("a decision repeats an answered question: " + question);
      }
      facts = readFact(reader, facts, question);
    }
    return facts;
  }

  private static LiveFacts readFact(LiveReader reader, LiveFacts facts, Question<?> question)
      throws InterruptedException {
    return switch (question) {
      case Question.ObjectRead<?> objectQuestion -> readObject(reader, facts, objectQuestion);
      case Question.NamespaceList<?> listQuestion -> readNamespace(reader, facts, listQuestion);
    };
  }

  private static <T extends Resource> LiveFacts readObject(
      LiveReader reader, LiveFacts facts, Question.ObjectRead<T> question)
      throws InterruptedException {
    return facts.with(question, reader.read(question.kind(), question.key()).fact());
  }

  private static <T extends Resource> LiveFacts readNamespace(
      LiveReader reader, LiveFacts facts, Question.NamespaceList<T> question)
      throws InterruptedException {
    return facts.with(question, reader.list(question.kind(), question.namespace()).fact());
  }
}
