package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.StatusConflictCheck.ConflictVerdict;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.Test;

/** Another client wrote a node first: one test per later state of the node. */
class StatusConflictCheckTest {
  private static final Node KNOWN = node("1", 7);

  private static Node node(String uid, long version) {
    return TestObjects.node(
            TestObjects.metaOf(ObjectKey.cluster("n")).uid(uid).version(version).meta())
        .build();
  }

  private static Step<ConflictVerdict> after(Fact<Node> now) {
    LiveFacts live = LiveFacts.NONE.with(new Question.One<>(Kind.NODE, KNOWN.key()), now);
    return StatusConflictCheck.decide(KNOWN, "was first", live);
  }

  @Test
  void decide_withoutAnswer_readsNode() {
    assertThat(after(new Fact.NotAsked<>())).isEqualTo(Step.ask(Kind.NODE, KNOWN.key()));
  }

  @Test
  void decide_changedNode_isWrittenAgain() {
    Node now = node("1", 8);
    assertThat(after(new Fact.Present<>(now)))
        .isEqualTo(Step.decided(new ConflictVerdict.OnTop(now)));
  }

  @Test
  void decide_otherNodeOfThatName_isNotWritten() {
    assertThat(after(new Fact.Present<>(node("2", 8))))
        .isEqualTo(Step.decided(new ConflictVerdict.Lost("was first")));
  }

  @Test
  void decide_deletedNode_needsNoList() {
    assertThat(after(new Fact.Absent<>())).isEqualTo(Step.decided(new ConflictVerdict.Over()));
  }

  @Test
  void decide_unanswered_isLost() {
    assertThat(after(new Fact.Unknown<>("no answer")))
        .isEqualTo(Step.decided(new ConflictVerdict.Lost("was first; then: no answer")));
  }
}
