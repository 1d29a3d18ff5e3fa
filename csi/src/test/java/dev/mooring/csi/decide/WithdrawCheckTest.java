package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.WithdrawCheck.WithdrawVerdict;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.Test;

/** Rows E1 to E4 of docs/dev/live-verdicts.md. */
class WithdrawCheckTest {
  private static final Attachment KNOWN = TestObjects.attachment("a").version(7).build();

  private static Step<WithdrawVerdict> decide(Fact<Attachment> fact) {
    Question.ObjectRead<Attachment> question =
        new Question.ObjectRead<>(Kind.ATTACHMENT, KNOWN.key());
    return WithdrawCheck.decide(KNOWN, LiveFacts.NONE.with(question, fact));
  }

  @Test
  void withdrawal_withoutAnswer_asksTheServer() {
    assertThat(WithdrawCheck.decide(KNOWN, LiveFacts.NONE))
        .isEqualTo(Step.ask(Kind.ATTACHMENT, KNOWN.key()));
    assertThat(decide(new Fact.Unknown<>("away")))
        .isEqualTo(Step.decided(new WithdrawVerdict.Unknown("away")));
  }

  @Test
  void withdrawal_ofChangedAttachment_isRefused() {
    assertThat(decide(new Fact.Absent<>())).isEqualTo(Step.decided(new WithdrawVerdict.Changed()));
    assertThat(
            decide(new Fact.Present<>(TestObjects.like(KNOWN).version(8).attached(true).build())))
        .isEqualTo(Step.decided(new WithdrawVerdict.Changed()));
  }

  @Test
  void withdrawal_ofUnchangedAttachment_isAllowed() {
    assertThat(decide(new Fact.Present<>(KNOWN)))
        .isEqualTo(Step.decided(new WithdrawVerdict.Allowed()));
  }
}
