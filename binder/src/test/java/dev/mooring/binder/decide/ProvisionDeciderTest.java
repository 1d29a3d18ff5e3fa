package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.Given.claim;
import static dev.mooring.binder.decide.Given.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What may be made and destroyed again for a claim, and whether its node is there, row by row. */
class ProvisionDeciderTest {
  private static final Claim CLAIM = claim("1Gi");
  private static final Question.One<Volume> VOLUME =
      new Question.One<>(Kind.VOLUME, ObjectKey.cluster("pvc-u"));
  private static final Question.One<Node> NODE =
      new Question.One<>(Kind.NODE, ObjectKey.cluster("n"));

  private static DynamicTest saved(String title, Fact<Volume> fact, SavedVerdict verdict) {
    return dynamicTest(
        title,
        () ->
            assertThat(ProvisionDecider.isSaved(CLAIM, LiveFacts.NONE.with(VOLUME, fact)))
                .isEqualTo(verdict));
  }

  @TestFactory
  Stream<DynamicTest> isItSaved() {
    Volume reserved = volume("pvc-u", "1Gi", v -> v.ref("c", "u"));
    Volume others = volume("pvc-u", "1Gi", v -> v.ref("d", "u"));
    Volume nobodys = volume("pvc-u", "1Gi");
    return Stream.of(
        saved("M0 it is asked", new Fact.NotAsked<>(), new SavedVerdict.Ask(List.of(VOLUME))),
        saved("M1 it is not there", new Fact.Absent<>(), new SavedVerdict.NotThere()),
        saved("M2 no answer", new Fact.Unknown<>("x"), new SavedVerdict.CannotTell("x")),
        saved("M3 it is there", new Fact.Present<>(reserved), new SavedVerdict.Saved()),
        saved("M4 another's", new Fact.Present<>(others), new SavedVerdict.NameTaken(others)),
        saved("M4 nobody's", new Fact.Present<>(nobodys), new SavedVerdict.NameTaken(nobodys)));
  }

  private static Claim chosen(String node) {
    return claim("1Gi", c -> c.mark(Marks.SELECTED_NODE, node));
  }

  private static DynamicTest node(
      String title, Claim claim, Fact<Node> fact, Class<? extends NodeVerdict> verdict) {
    return dynamicTest(
        title,
        () ->
            assertThat(ProvisionDecider.isThere(claim, LiveFacts.NONE.with(NODE, fact)))
                .isInstanceOf(verdict));
  }

  @TestFactory
  Stream<DynamicTest> isItsNodeThere() {
    Fact<Node> there =
        new Fact.Present<>(
            new Node(
                new Meta(NODE.key(), Uid.of("n"), 1, 1, 0, Map.of(), Map.of(), List.of()),
                List.of(),
                "True",
                List.of(),
                Map.of()));
    return Stream.of(
        node("O0 it is asked", chosen("n"), new Fact.NotAsked<>(), NodeVerdict.Ask.class),
        node("O1 none was chosen", CLAIM, new Fact.Absent<>(), NodeVerdict.There.class),
        node(
            "O2 no name of a node",
            chosen("a/b"),
            new Fact.Absent<>(),
            NodeVerdict.Impossible.class),
        node("O2 no name at all", chosen(""), new Fact.Absent<>(), NodeVerdict.Impossible.class),
        node("O3 it is gone", chosen("n"), new Fact.Absent<>(), NodeVerdict.Gone.class),
        node("O4 no answer", chosen("n"), new Fact.Unknown<>("x"), NodeVerdict.CannotTell.class),
        node("O5 it is there", chosen("n"), there, NodeVerdict.There.class));
  }
}
