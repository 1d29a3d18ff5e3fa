package dev.mooring.csi.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import java.util.List;

/**
 * Decides whether a volume may be unpublished from a former node or handle of an attachment that
 * was never attached. Another replica may have attached it since. Ids in comments are rows of
 * {@code docs/dev/live-verdicts.md}.
 */
public final class WithdrawCheck {
  public sealed interface WithdrawVerdict {
    // A live read is needed; decide again with the answer.
    record Ask(List<Question<?>> questions) implements WithdrawVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    record Allowed() implements WithdrawVerdict {}

    // The attachment changed; the withdrawal is obsolete.
    record Changed() implements WithdrawVerdict {}

    record CannotTell(String why) implements WithdrawVerdict {}
  }

  private WithdrawCheck() {}

  public static WithdrawVerdict decide(Attachment known, LiveFacts live) {
    Question.One<Attachment> question = new Question.One<>(Kind.ATTACHMENT, known.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Attachment> _ -> new WithdrawVerdict.Ask(List.of(question));
      case Fact.Absent<Attachment> _ -> new WithdrawVerdict.Changed(); // E1
      case Fact.Unknown<Attachment>(String why) -> new WithdrawVerdict.CannotTell(why); // E2
      case Fact.Present<Attachment>(Attachment now)
          when now.meta().resourceVersion() != known.meta().resourceVersion() ->
          new WithdrawVerdict.Changed(); // E3
      case Fact.Present<Attachment> _ -> new WithdrawVerdict.Allowed(); // E4
    };
  }
}
