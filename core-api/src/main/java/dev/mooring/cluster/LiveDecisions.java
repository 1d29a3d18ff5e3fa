package dev.mooring.cluster;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Resource;
import java.util.function.Function;

/**
 * Takes decisions that rest on what no cache may answer: decides, asks the server what the decision
 * needs, and decides again.
 */
public final class LiveDecisions {
  private LiveDecisions() {}

  /**
   * Decides. Blocks while the server is asked; a read that fails is a fact too ({@link
   * Fact.Unknown}), and is not tried again here.
   *
   * @param <D> the decisions, one of which is a {@link NeedsLive}
   * @param reader asks the server
   * @param known what the server has said already
   * @param decider the decision, from what the server has said
   * @return a decision that is no {@link NeedsLive}
   * @throws IllegalStateException if the decision asks again what it was told
   */
  public static <D> D decide(LiveReader reader, LiveFacts known, Function<LiveFacts, D> decider)
      throws InterruptedException {
    LiveFacts facts = known;
    D decision = decider.apply(facts);
    while (decision instanceof NeedsLive needs) {
      facts = ask(reader, facts, needs);
      decision = decider.apply(facts);
    }
    return Decided.by(decision);
  }

  /** The facts with the answers to these questions. */
  public static LiveFacts ask(LiveReader reader, LiveFacts known, NeedsLive needs)
      throws InterruptedException {
    LiveFacts facts = known;
    for (Question<?> question : needs.questions()) {
      if (facts.has(question)) {
        throw new IllegalStateException("a decision asks again what it was told: " + question);
      }
      facts = answered(reader, facts, question);
    }
    return facts;
  }

  private static LiveFacts answered(LiveReader reader, LiveFacts facts, Question<?> question)
      throws InterruptedException {
    return switch (question) {
      case Question.One<?> one -> object(reader, facts, one);
      case Question.All<?> all -> namespace(reader, facts, all);
    };
  }

  private static <T extends Resource> LiveFacts object(
      LiveReader reader, LiveFacts facts, Question.One<T> question) throws InterruptedException {
    return facts.with(question, reader.read(question.kind(), question.key()).fact());
  }

  private static <T extends Resource> LiveFacts namespace(
      LiveReader reader, LiveFacts facts, Question.All<T> question) throws InterruptedException {
    return facts.with(question, reader.list(question.kind(), question.namespace()).fact());
  }
}
