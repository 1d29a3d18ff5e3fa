package dev.mooring.csi.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;

/**
 * Decides whether a volume may be unpublished from a former node or handle of an attachment that
 * was never attached. Another replica may have attached it since. Ids in comments are rows of
 * {@code docs/dev/live-verdicts.md}.
 */
public final class WithdrawCheck {
  public sealed interface WithdrawVerdict {
    record Allowed() implements WithdrawVerdict {}

    // The attachment changed; the withdrawal is obsolete.
    record Changed() implements WithdrawVerdict {}

    record Unknown(String reason) implements WithdrawVerdict {}
  }

  private WithdrawCheck() {}

  public static Step<WithdrawVerdict> decide(Attachment cached, LiveFacts live) {
    return switch (live.of(Kind.ATTACHMENT, cached.key())) {
      case Fact.NotAsked<Attachment> _ -> Step.ask(Kind.ATTACHMENT, cached.key());
      case Fact.Absent<Attachment> _ -> Step.decided(new WithdrawVerdict.Changed()); // E1
      case Fact.Unknown<Attachment>(String reason) ->
          Step.decided(new WithdrawVerdict.Unknown(reason)); // E2
      case Fact.Present<Attachment>(Attachment current)
          when current.meta().resourceVersion() != cached.meta().resourceVersion() ->
          Step.decided(new WithdrawVerdict.Changed()); // E3
      case Fact.Present<Attachment> _ -> Step.decided(new WithdrawVerdict.Allowed()); // E4
    };
  }
}
