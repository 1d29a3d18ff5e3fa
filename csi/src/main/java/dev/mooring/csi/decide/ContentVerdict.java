package dev.mooring.csi.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.function.Predicate;

/**
 * Whether what a driver has of a snapshot, or of a group of them, may be destroyed, by what the
 * server says now.
 *
 * @param <C> the content
 */
public sealed interface ContentVerdict<C> {
  /** It may. The content as it is now. */
  record Confirmed<C>(C content) implements ContentVerdict<C> {}

  /** It may not: the content is another one by now, or something else is to be done for it. */
  record Changed<C>() implements ContentVerdict<C> {}

  /** There is no such content any more. */
  record Gone<C>() implements ContentVerdict<C> {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask<C>(List<Question<?>> questions) implements ContentVerdict<C>, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may not, and is asked again. */
  record CannotTell<C>(String why) implements ContentVerdict<C> {}

  /**
   * By what the server has now. Ids in comments are the rows of {@code docs/live-verdicts.md}, of a
   * snapshot and of a group.
   *
   * @param cached the content as it was when that was to be done
   * @param stillToBe whether it is to be done for the content as it is now
   */
  static <C extends Resource> ContentVerdict<C> by(
      LiveFacts live, Kind<C> kind, C cached, Predicate<C> stillToBe) {
    Question.One<C> question = new Question.One<>(kind, cached.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<C> _ -> new Ask<>(List.of(question));
      case Fact.Absent<C> _ -> new Gone<>(); // H1, H5
      case Fact.Unknown<C>(String why) -> new CannotTell<>(why); // H2, H6
      case Fact.Present<C>(C now) ->
          now.meta().uid().equals(cached.meta().uid()) && stillToBe.test(now)
              ? new Confirmed<>(now) // H3, H7
              : new Changed<>(); // H4, H8
    };
  }
}
