package dev.mooring.snapshots.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.HoldCheck.HoldVerdict;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rows of docs/dev/live-verdicts.md: live state of the second of two claims, expected verdict. */
class HoldCheckTest {
  private static final Claim A = heldClaim("a", "1");
  private static final Claim B = heldClaim("b", "2");
  private static final Question.ObjectRead<Claim> OF_A =
      new Question.ObjectRead<>(Kind.CLAIM, A.key());
  private static final Question.ObjectRead<Claim> OF_B =
      new Question.ObjectRead<>(Kind.CLAIM, B.key());

  private static Claim heldClaim(String name, String uid) {
    return TestObjects.claim(new ObjectKey("default", name))
        .uid(uid)
        .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
        .build();
  }

  private static DynamicTest row(
      String title, Fact<Claim> b, Class<? extends HoldVerdict> verdict) {
    LiveFacts live = LiveFacts.NONE.with(OF_A, new Fact.Present<>(A)).with(OF_B, b);
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(HoldCheck.decide(List.of(A, B), live))
                .isInstanceOfSatisfying(
                    Step.Decided.class,
                    decided -> assertThat(decided.decision()).isExactlyInstanceOf(verdict)));
  }

  @TestFactory
  Stream<DynamicTest> decide_liveStateOfSecondClaim_returnsVerdict() {
    Claim free = TestObjects.claim(B.key()).uid("2").build();
    Claim deleted =
        TestObjects.claim(B.key())
            .uid("2")
            .deleted(1)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .build();
    return Stream.of(
        row("Q1 gone", new Fact.Absent<>(), HoldVerdict.NotHeld.class),
        row("Q2 another", new Fact.Present<>(heldClaim("b", "3")), HoldVerdict.NotHeld.class),
        row("Q3 not held", new Fact.Present<>(free), HoldVerdict.NotHeld.class),
        row("Q4 unanswered", new Fact.Unknown<>("x"), HoldVerdict.Unknown.class),
        row("Q5 held", new Fact.Present<>(B), HoldVerdict.Held.class),
        row("Q5 held while being deleted", new Fact.Present<>(deleted), HoldVerdict.Held.class));
  }

  @Test
  void decide_nothingRead_asksForAllAtOnce() {
    assertThat(HoldCheck.decide(List.of(A, B), LiveFacts.NONE)).isEqualTo(Step.ask(OF_A, OF_B));
  }
}
