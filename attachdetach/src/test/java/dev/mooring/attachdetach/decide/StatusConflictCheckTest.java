package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.StatusConflictCheck.ConflictVerdict;
import dev.mooring.live.Fact;
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

  private static ConflictVerdict after(Fact<Node> now) {
    return StatusConflictCheck.afterConflict(KNOWN, "was first", now);
  }

  @Test
  void afterConflict_changedNode_isWrittenAgain() {
    Node now = node("1", 8);
    assertThat(after(new Fact.Present<>(now))).isEqualTo(new ConflictVerdict.OnTop(now));
  }

  @Test
  void afterConflict_otherNodeOfThatName_isNotWritten() {
    assertThat(after(new Fact.Present<>(node("2", 8))))
        .isEqualTo(new ConflictVerdict.Lost("was first"));
  }

  @Test
  void afterConflict_deletedNode_needsNoList() {
    assertThat(after(new Fact.Absent<>())).isEqualTo(new ConflictVerdict.Over());
  }

  @Test
  void afterConflict_unanswered_isLost() {
    assertThat(after(new Fact.Unknown<>("no answer")))
        .isEqualTo(new ConflictVerdict.Lost("was first; then: no answer"));
    assertThat(after(new Fact.NotAsked<>())).isEqualTo(new ConflictVerdict.Lost("was first"));
  }
}
