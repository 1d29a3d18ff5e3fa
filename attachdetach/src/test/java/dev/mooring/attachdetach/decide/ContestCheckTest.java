package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.ContestCheck.ContestFacts;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestCheck.OtherNode;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decision which node has a contested volume. */
class ContestCheckTest {
  private static final VolumeId ID = VolumeId.csi("d", "h");
  private static final ObjectKey OWN = ObjectKey.cluster("a");
  private static final Fact<Attachment> ATTACHED = attachment(true, false);
  private static final Fact<Attachment> BEING_DELETED = attachment(true, true);
  private static final Fact<Attachment> REFUSED = attachment(false, false);
  private static final Fact<Attachment> GONE = new Fact.Absent<>();
  private static final Fact<Attachment> NO_ANSWER = new Fact.Unknown<>("x");
  private static final Fact<Node> USING = node(List.of(ID.text()), Map.of());
  private static final Fact<Node> LISTING = node(List.of(), Map.of(ID.text(), ""));

  private static Fact<Attachment> attachment(boolean attached, boolean going) {
    return new Fact.Present<>(
        TestObjects.attachment(ObjectKey.cluster("a"))
            .uid("a")
            .deleted(going ? 1 : 0)
            .attacher("d")
            .volumeName("v")
            .nodeName("n")
            .attached(attached)
            .build());
  }

  private static Fact<Node> node(List<String> inUse, Map<String, String> listed) {
    return new Fact.Present<>(
        TestObjects.node(TestObjects.metaOf(ObjectKey.cluster("n")).uid("n").meta())
            .volumesInUse(inUse)
            .volumesAttached(listed)
            .build());
  }

  /** Another node with the server's answers about it. */
  private record Other(Fact<Attachment> attachment, Fact<Node> node, boolean mounted) {
    OtherNode known(String name) {
      return new OtherNode(name, ObjectKey.cluster("a-" + name), mounted);
    }

    LiveFacts addTo(LiveFacts live, String name) {
      OtherNode known = known(name);
      return live.with(new Question.One<>(Kind.ATTACHMENT, known.attachment()), attachment)
          .with(new Question.One<>(Kind.NODE, ObjectKey.cluster(name)), node);
    }
  }

  private static Other other(Fact<Attachment> attachment, Fact<Node> node) {
    return new Other(attachment, node, false);
  }

  private static ContestVerdict decide(
      Fact<Attachment> attachment, boolean byHand, Other... others) {
    LiveFacts live = LiveFacts.NONE.with(new Question.One<>(Kind.ATTACHMENT, OWN), attachment);
    List<OtherNode> known = new ArrayList<>();
    for (Other other : others) {
      String name = "n" + known.size();
      known.add(other.known(name));
      live = other.addTo(live, name);
    }
    return decided(ContestCheck.decide(ID, new ContestFacts(OWN, known, byHand), live));
  }

  private static <D> D decided(Step<D> step) {
    assertThat(step).isInstanceOf(Step.Decided.class);
    return ((Step.Decided<D>) step).decision();
  }

  private static DynamicTest row(
      String title,
      Fact<Attachment> attachment,
      Class<? extends ContestVerdict> verdict,
      Other... others) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(decide(attachment, false, others)).isInstanceOf(verdict));
  }

  @Test
  void decide_k6_foreignAttachmentElsewhere_isUnclear() {
    assertThat(decide(ATTACHED, true, other(GONE, USING)))
        .isInstanceOf(ContestVerdict.Unclear.class);
  }

  private static DynamicTest found(
      String title, Other node, Class<? extends ContestVerdict> verdict) {
    LiveFacts live = node.addTo(LiveFacts.NONE, "n");
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(decided(ContestCheck.decideFound(ID, node.known("n"), live)))
                .isInstanceOf(verdict));
  }

  @Test
  void decide_withoutAnswers_asksAboutAllNodes() {
    OtherNode other = new OtherNode("n", ObjectKey.cluster("a-n"), false);
    Question<?> attachment = new Question.One<>(Kind.ATTACHMENT, other.attachment());
    Question<?> node = new Question.One<>(Kind.NODE, ObjectKey.cluster("n"));
    assertThat(
            ContestCheck.decide(ID, new ContestFacts(OWN, List.of(other), false), LiveFacts.NONE))
        .as("K0")
        .isEqualTo(Step.ask(attachment, node, new Question.One<>(Kind.ATTACHMENT, OWN)));
    assertThat(ContestCheck.decideFound(ID, other, LiveFacts.NONE))
        .as("F0")
        .isEqualTo(Step.ask(attachment, node));
  }

  /** Only an attachment showed the volume on that node. */
  @TestFactory
  Stream<DynamicTest> decideFound_rows() {
    Class<ContestVerdict.NotThere> out = ContestVerdict.NotThere.class;
    Class<ContestVerdict.Unknown> unknown = ContestVerdict.Unknown.class;
    Class<ContestVerdict.Unclear> unclear = ContestVerdict.Unclear.class;
    return Stream.of(
        found("F1 its attachment is deleted", other(GONE, USING), out),
        found("F2 attached", other(ATTACHED, USING), unclear),
        found("F2 may still become attached", other(REFUSED, USING), unclear),
        found("F2 being detached", other(BEING_DELETED, USING), unclear),
        found("F2 no answer", other(NO_ANSWER, USING), unknown),
        found("F3 its status lists it", other(GONE, LISTING), unclear),
        found("F3 no answer about its node", other(GONE, new Fact.Unknown<>("x")), unknown),
        found("F3 its node is deleted", other(GONE, new Fact.Absent<>()), unclear),
        found("F4 a pod there runs with it", new Other(GONE, USING, true), unclear));
  }

  @TestFactory
  Stream<DynamicTest> decide_rows() {
    Class<ContestVerdict.Has> has = ContestVerdict.Has.class;
    Class<ContestVerdict.Unknown> unknown = ContestVerdict.Unknown.class;
    Class<ContestVerdict.Unclear> unclear = ContestVerdict.Unclear.class;
    Other out = other(GONE, USING);
    return Stream.of(
        row("K1 attached, the other's attachment is deleted", ATTACHED, has, out),
        row("K1 the other's attachment is not attached", ATTACHED, has, other(REFUSED, USING)),
        row(
            "K1 two others' attachments are not attached",
            ATTACHED,
            has,
            out,
            other(REFUSED, USING)),
        row("K2 not attached", REFUSED, unclear, out),
        row("K2 being detached", BEING_DELETED, unclear, out),
        row("K2 its own attachment is deleted", GONE, unclear, out),
        row("K3 no answer", NO_ANSWER, unknown, out),
        row("K4 the other is attached too", ATTACHED, unclear, other(ATTACHED, USING)),
        row("K4 the other is being detached", ATTACHED, unclear, other(BEING_DELETED, USING)),
        row("K4 no answer about the other", ATTACHED, unknown, other(NO_ANSWER, USING)),
        row("K5 the other's status lists it", ATTACHED, unclear, other(GONE, LISTING)),
        row(
            "K5 no answer about the other's node",
            ATTACHED,
            unknown,
            other(GONE, new Fact.Unknown<>("x"))),
        row("K5 the other's node is deleted", ATTACHED, unclear, other(GONE, new Fact.Absent<>())),
        row(
            "K5 one of two others' statuses lists it",
            ATTACHED,
            unclear,
            out,
            other(GONE, LISTING)),
        row("K7 a pod there runs with it", ATTACHED, unclear, new Other(GONE, USING, true)));
  }
}
