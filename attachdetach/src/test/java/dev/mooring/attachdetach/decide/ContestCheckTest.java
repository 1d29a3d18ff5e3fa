package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.ContestCheck.ContestFacts;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestCheck.OtherNode;
import dev.mooring.live.Fact;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decision which node has a contested volume. */
class ContestCheckTest {
  private static final VolumeId ID = VolumeId.csi("d", "h");
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

  private static OtherNode other(Fact<Attachment> attachment, Fact<Node> node) {
    return new OtherNode(attachment, node, false);
  }

  private static DynamicTest row(
      String title,
      Fact<Attachment> attachment,
      Class<? extends ContestVerdict> verdict,
      OtherNode... others) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    ContestCheck.decide(ID, new ContestFacts(attachment, List.of(others), false)))
                .isInstanceOf(verdict));
  }

  @Test
  void decide_k6_foreignAttachmentElsewhere_isUnclear() {
    ContestFacts contest = new ContestFacts(ATTACHED, List.of(other(GONE, USING)), true);
    assertThat(ContestCheck.decide(ID, contest)).isInstanceOf(ContestVerdict.Unclear.class);
  }

  private static DynamicTest found(
      String title, OtherNode node, Class<? extends ContestVerdict> verdict) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(ContestCheck.decideFound(ID, node)).isInstanceOf(verdict));
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
        found("F2 not asked", other(new Fact.NotAsked<>(), USING), unclear),
        found("F3 its status lists it", other(GONE, LISTING), unclear),
        found("F3 no answer about its node", other(GONE, new Fact.Unknown<>("x")), unknown),
        found("F3 its node is deleted", other(GONE, new Fact.Absent<>()), unclear),
        found("F4 a pod there runs with it", new OtherNode(GONE, USING, true), unclear));
  }

  @TestFactory
  Stream<DynamicTest> decide_rows() {
    Class<ContestVerdict.Has> has = ContestVerdict.Has.class;
    Class<ContestVerdict.Unknown> unknown = ContestVerdict.Unknown.class;
    Class<ContestVerdict.Unclear> unclear = ContestVerdict.Unclear.class;
    OtherNode out = other(GONE, USING);
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
        row("K3 not asked", new Fact.NotAsked<>(), unclear, out),
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
        row("K7 a pod there runs with it", ATTACHED, unclear, new OtherNode(GONE, USING, true)));
  }
}
