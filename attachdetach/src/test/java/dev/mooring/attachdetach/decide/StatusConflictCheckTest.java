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
  private static final Node WRITTEN = node("1", 7);

  private static Node node(String uid, long version) {
    return TestObjects.node(
            TestObjects.metaOf(ObjectKey.cluster("n")).uid(uid).version(version).meta())
        .build();
  }

  private static Step<ConflictVerdict> decideAfter(Fact<Node> current) {
    LiveFacts live =
        LiveFacts.NONE.with(new Question.ObjectRead<>(Kind.NODE, WRITTEN.key()), current);
    return StatusConflictCheck.decide(WRITTEN, "was first", live);
  }

  @Test
  void decide_nodeNotAsked_readsNode() {
    assertThat(decideAfter(new Fact.NotAsked<>())).isEqualTo(Step.ask(Kind.NODE, WRITTEN.key()));
  }

  @Test
  void decide_changedNode_isWrittenAgain() {
    Node current = node("1", 8);
    assertThat(decideAfter(new Fact.Present<>(current)))
        .isEqualTo(Step.decided(new ConflictVerdict.WriteAgain(current)));
  }

  @Test
  void decide_otherNodeOfThatName_fails() {
    assertThat(decideAfter(new Fact.Present<>(node("2", 8))))
        .isEqualTo(Step.decided(new ConflictVerdict.Failed("was first")));
  }

  @Test
  void decide_deletedNode_returnsNodeGone() {
    assertThat(decideAfter(new Fact.Absent<>()))
        .isEqualTo(Step.decided(new ConflictVerdict.NodeGone()));
  }

  @Test
  void decide_unanswered_fails() {
    assertThat(decideAfter(new Fact.Unknown<>("no answer")))
        .isEqualTo(Step.decided(new ConflictVerdict.Failed("was first; then: no answer")));
  }
}
