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
  private static final ObjectKey OWN_KEY = ObjectKey.cluster("a");
  private static final Fact<Attachment> ATTACHED = attachment(true, false);
  private static final Fact<Attachment> DELETED = attachment(true, true);
  private static final Fact<Attachment> NOT_ATTACHED = attachment(false, false);
  private static final Fact<Attachment> GONE = new Fact.Absent<>();
  private static final Fact<Attachment> NO_ANSWER = new Fact.Unknown<>("x");
  private static final Fact<Node> USING = node(List.of(ID.text()), Map.of());
  private static final Fact<Node> LISTING = node(List.of(), Map.of(ID.text(), ""));

  private static Fact<Attachment> attachment(boolean attached, boolean isDeleted) {
    return new Fact.Present<>(
        TestObjects.attachment(ObjectKey.cluster("a"))
            .uid("a")
            .deleted(isDeleted ? 1 : 0)
            .attacher("d")
            .volumeName("v")
            .nodeName("n")
            .attached(attached)
            .build());
  }

  private static Fact<Node> node(List<String> inUse, Map<String, String> volumesAttached) {
    return new Fact.Present<>(
        TestObjects.node(TestObjects.metaOf(ObjectKey.cluster("n")).uid("n").meta())
            .volumesInUse(inUse)
            .volumesAttached(volumesAttached)
            .build());
  }

  /** Another node with the server's answers about it. */
  private record NodeFacts(Fact<Attachment> attachment, Fact<Node> node, boolean isMounted) {
    OtherNode toOtherNode(String name) {
      return new OtherNode(name, ObjectKey.cluster("a-" + name), isMounted);
    }

    LiveFacts addTo(LiveFacts live, String name) {
      OtherNode otherNode = toOtherNode(name);
      return live.with(
              new Question.ObjectRead<>(Kind.ATTACHMENT, otherNode.attachment()), attachment)
          .with(new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster(name)), node);
    }
  }

  private static NodeFacts otherNode(Fact<Attachment> attachment, Fact<Node> node) {
    return new NodeFacts(attachment, node, false);
  }

  private static ContestVerdict decide(
      Fact<Attachment> attachment, boolean hasForeignAttachment, NodeFacts... otherNodes) {
    LiveFacts live =
        LiveFacts.NONE.with(new Question.ObjectRead<>(Kind.ATTACHMENT, OWN_KEY), attachment);
    List<OtherNode> contestNodes = new ArrayList<>();
    for (NodeFacts otherNode : otherNodes) {
      String name = "n" + contestNodes.size();
      contestNodes.add(otherNode.toOtherNode(name));
      live = otherNode.addTo(live, name);
    }
    return assertDecided(
        ContestCheck.decide(
            ID, new ContestFacts(OWN_KEY, contestNodes, hasForeignAttachment), live));
  }

  private static <D> D assertDecided(Step<D> step) {
    assertThat(step).isInstanceOf(Step.Decided.class);
    return ((Step.Decided<D>) step).decision();
  }

  private static DynamicTest row(
      String title,
      Fact<Attachment> attachment,
      Class<? extends ContestVerdict> verdict,
      NodeFacts... otherNodes) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(decide(attachment, false, otherNodes)).isInstanceOf(verdict));
  }

  @Test
  void decide_k6_foreignAttachmentElsewhere_isUnclear() {
    assertThat(decide(ATTACHED, true, otherNode(GONE, USING)))
        .isInstanceOf(ContestVerdict.Unclear.class);
  }

  private static DynamicTest attachmentOnlyRow(
      String title, NodeFacts node, Class<? extends ContestVerdict> verdict) {
    LiveFacts live = node.addTo(LiveFacts.NONE, "n");
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    assertDecided(
                        ContestCheck.decideAttachmentOnly(ID, node.toOtherNode("n"), live)))
                .isInstanceOf(verdict));
  }

  @Test
  void decide_withoutFacts_asksAboutAllNodes() {
    OtherNode otherNode = new OtherNode("n", ObjectKey.cluster("a-n"), false);
    Question<?> attachment = new Question.ObjectRead<>(Kind.ATTACHMENT, otherNode.attachment());
    Question<?> node = new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster("n"));
    assertThat(
            ContestCheck.decide(
                ID, new ContestFacts(OWN_KEY, List.of(otherNode), false), LiveFacts.NONE))
        .as("K0")
        .isEqualTo(Step.ask(attachment, node, new Question.ObjectRead<>(Kind.ATTACHMENT, OWN_KEY)));
    assertThat(ContestCheck.decideAttachmentOnly(ID, otherNode, LiveFacts.NONE))
        .as("F0")
        .isEqualTo(Step.ask(attachment, node));
  }

  /** Only an attachment showed the volume on that node. */
  @TestFactory
  Stream<DynamicTest> decideAttachmentOnly_tableRow_returnsVerdict() {
    Class<ContestVerdict.LacksVolume> lacksVolume = ContestVerdict.LacksVolume.class;
    Class<ContestVerdict.Unknown> unknown = ContestVerdict.Unknown.class;
    Class<ContestVerdict.Unclear> unclear = ContestVerdict.Unclear.class;
    return Stream.of(
        attachmentOnlyRow("F1 its attachment is deleted", otherNode(GONE, USING), lacksVolume),
        attachmentOnlyRow("F2 attached", otherNode(ATTACHED, USING), unclear),
        attachmentOnlyRow("F2 may still become attached", otherNode(NOT_ATTACHED, USING), unclear),
        attachmentOnlyRow("F2 being detached", otherNode(DELETED, USING), unclear),
        attachmentOnlyRow("F2 no answer", otherNode(NO_ANSWER, USING), unknown),
        attachmentOnlyRow("F3 its status lists it", otherNode(GONE, LISTING), unclear),
        attachmentOnlyRow(
            "F3 no answer about its node", otherNode(GONE, new Fact.Unknown<>("x")), unknown),
        attachmentOnlyRow("F3 its node is deleted", otherNode(GONE, new Fact.Absent<>()), unclear),
        attachmentOnlyRow(
            "F4 a running pod there uses it", new NodeFacts(GONE, USING, true), unclear));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsVerdict() {
    Class<ContestVerdict.HasVolume> hasVolume = ContestVerdict.HasVolume.class;
    Class<ContestVerdict.Unknown> unknown = ContestVerdict.Unknown.class;
    Class<ContestVerdict.Unclear> unclear = ContestVerdict.Unclear.class;
    NodeFacts detachedNode = otherNode(GONE, USING);
    return Stream.of(
        row("K1 attached, the other's attachment is deleted", ATTACHED, hasVolume, detachedNode),
        row(
            "K1 the other's attachment is not attached",
            ATTACHED,
            hasVolume,
            otherNode(NOT_ATTACHED, USING)),
        row(
            "K1 two others' attachments are not attached",
            ATTACHED,
            hasVolume,
            detachedNode,
            otherNode(NOT_ATTACHED, USING)),
        row("K2 not attached", NOT_ATTACHED, unclear, detachedNode),
        row("K2 being detached", DELETED, unclear, detachedNode),
        row("K2 its own attachment is deleted", GONE, unclear, detachedNode),
        row("K3 no answer", NO_ANSWER, unknown, detachedNode),
        row("K4 the other is attached too", ATTACHED, unclear, otherNode(ATTACHED, USING)),
        row("K4 the other is being detached", ATTACHED, unclear, otherNode(DELETED, USING)),
        row("K4 no answer about the other", ATTACHED, unknown, otherNode(NO_ANSWER, USING)),
        row("K5 the other's status lists it", ATTACHED, unclear, otherNode(GONE, LISTING)),
        row(
            "K5 no answer about the other's node",
            ATTACHED,
            unknown,
            otherNode(GONE, new Fact.Unknown<>("x"))),
        row(
            "K5 the other's node is deleted",
            ATTACHED,
            unclear,
            otherNode(GONE, new Fact.Absent<>())),
        row(
            "K5 one of two others' statuses lists it",
            ATTACHED,
            unclear,
            detachedNode,
            otherNode(GONE, LISTING)),
        row("K7 a running pod there uses it", ATTACHED, unclear, new NodeFacts(GONE, USING, true)));
  }
}
