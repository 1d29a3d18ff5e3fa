package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Verdicts whether the selected node exists. */
class ProvisionDeciderTest {
  private static final Claim CLAIM = claim("1Gi");
  private static final Question.ObjectRead<Node> NODE =
      new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster("n"));

  private static Claim claimWithNode(String node) {
    return claim("1Gi", c -> c.annotation(BinderMarks.SELECTED_NODE, node));
  }

  private static DynamicTest node(
      String title, Claim claim, Fact<Node> fact, Class<? extends NodeVerdict> verdict) {
    return dynamicTest(
        title,
        () ->
            assertThat(ProvisionDecider.decideNode(claim, LiveFacts.NONE.with(NODE, fact)))
                .isInstanceOfSatisfying(
                    Step.Decided.class, step -> assertThat(step.decision()).isInstanceOf(verdict)));
  }

  @TestFactory
  Stream<DynamicTest> decideNode_eachSelection_returnsVerdict() {
    Fact<Node> existingNode =
        new Fact.Present<>(TestObjects.node(NODE.key()).uid("n").created(1).build());
    return Stream.of(
        dynamicTest(
            "O0 it is asked",
            () ->
                assertThat(ProvisionDecider.decideNode(claimWithNode("n"), LiveFacts.NONE))
                    .isEqualTo(Step.ask(NODE))),
        node("O1 none was chosen", CLAIM, new Fact.Absent<>(), NodeVerdict.Exists.class),
        node(
            "O2 no name of a node",
            claimWithNode("a/b"),
            new Fact.Absent<>(),
            NodeVerdict.Impossible.class),
        node(
            "O2 no name at all",
            claimWithNode(""),
            new Fact.Absent<>(),
            NodeVerdict.Impossible.class),
        node("O3 it is gone", claimWithNode("n"), new Fact.Absent<>(), NodeVerdict.Gone.class),
        node(
            "O4 no answer", claimWithNode("n"), new Fact.Unknown<>("x"), NodeVerdict.Unknown.class),
        node("O5 it is there", claimWithNode("n"), existingNode, NodeVerdict.Exists.class));
  }
}
