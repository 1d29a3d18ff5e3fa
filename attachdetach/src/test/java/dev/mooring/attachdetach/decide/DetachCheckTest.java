package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck.DetachFinding;
import dev.mooring.attachdetach.decide.DetachCheck.DetachIfDead;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.DriftCheck.DriftVerdict;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decisions whether a volume may be detached, and whether it is detached. */
class DetachCheckTest {
  private static final VolumeId ID = VolumeId.csi("d", "h");
  private static final PastUser USER = new PastUser(ObjectKey.of("ns", "p"), Uid.of("u"));
  private static final String TAINT = "node.kubernetes.io/out-of-service=:NoExecute";
  private static final Fact<Node> FREE = node("True", false);
  private static final Fact<Node> USED = node("True", true);
  private static final Fact<Pod> NO_POD = new Fact.Absent<>();
  private static final Question<Node> NODE =
      new Question.ObjectRead<>(Kind.NODE, ObjectKey.cluster("n"));
  private static final Question<Pod> POD = new Question.ObjectRead<>(Kind.POD, USER.pod());
  private static final Question<CsiDriver> DRIVER =
      new Question.ObjectRead<>(Kind.CSI_DRIVER, ObjectKey.cluster("d"));
  private static final ObjectKey ATTACHMENT_KEY = new VolumeId.Csi("d", "h").attachment("n");
  private static final Question<Attachment> ATTACHMENT =
      new Question.ObjectRead<>(Kind.ATTACHMENT, ATTACHMENT_KEY);

  private static Meta meta(ObjectKey key, String uid) {
    return TestObjects.metaOf(key).uid(uid).created(1).meta();
  }

  private static Fact<Node> node(String ready, boolean isInUse, String... taints) {
    return new Fact.Present<>(
        TestObjects.node(meta(ObjectKey.cluster("n"), "n"))
            .taints(List.of(taints))
            .ready(ready)
            .volumesInUse(isInUse ? List.of(ID.text()) : List.of())
            .build());
  }

  private static final Fact<Node> LISTED =
      new Fact.Present<>(
          TestObjects.node(meta(ObjectKey.cluster("n"), "n"))
              .volumesAttached(Map.of(ID.text(), ""))
              .build());

  private static Fact<Pod> pod(String uid, String node, Pod.Phase phase) {
    return new Fact.Present<>(
        TestObjects.pod(meta(ObjectKey.of("ns", "p"), uid))
            .nodeName(node)
            .claims(List.of("c"))
            .phase(phase)
            .build());
  }

  private static Fact<CsiDriver> driver(boolean attachRequired) {
    return new Fact.Present<>(
        TestObjects.csiDriver(meta(ObjectKey.cluster("d"), "d"))
            .attachRequired(attachRequired)
            .build());
  }

  private static LiveFacts facts(Fact<Node> node) {
    return facts(node, NO_POD, new Fact.NotAsked<>());
  }

  private static LiveFacts facts(Fact<Node> node, Fact<Pod> pod, Fact<CsiDriver> driver) {
    return LiveFacts.NONE.with(NODE, node).with(POD, pod).with(DRIVER, driver);
  }

  private static PendingDetach pendingDetach(
      Grounds grounds, List<PastUser> users, boolean usedByEarlierNode) {
    return new PendingDetach(ID, "n", grounds, users, usedByEarlierNode);
  }

  private static Step<DetachFinding> decide(
      Grounds grounds, List<PastUser> users, LiveFacts facts) {
    return DetachCheck.decide(pendingDetach(grounds, users, false), facts);
  }

  private static DynamicTest row(
      String title, Grounds grounds, LiveFacts facts, Class<? extends DetachFinding> finding) {
    return DynamicTest.dynamicTest(
        title, () -> assertDecided(decide(grounds, List.of(USER), facts)).isInstanceOf(finding));
  }

  private static <D> ObjectAssert<D> assertDecided(Step<D> step) {
    assertThat(step).isInstanceOf(Step.Decided.class);
    return assertThat(((Step.Decided<D>) step).decision());
  }

  private static DynamicTest questionRow(
      String title, Grounds grounds, LiveFacts facts, Question<?> question) {
    return DynamicTest.dynamicTest(
        title,
        () -> assertThat(decide(grounds, List.of(USER), facts)).isEqualTo(Step.ask(question)));
  }

  @TestFactory
  Stream<DynamicTest> decide_nodeFacts_rows() {
    Class<DetachVerdict.Detach> detach = DetachVerdict.Detach.class;
    Class<DetachVerdict.Keep> keep = DetachVerdict.Keep.class;
    Class<DetachVerdict.Unknown> unknown = DetachVerdict.Unknown.class;
    return Stream.of(
        questionRow("L1 reads the node first", Grounds.UNUSED, LiveFacts.NONE, NODE),
        row(
            "L2 no answer about the node",
            Grounds.TIMEOUT,
            facts(new Fact.Unknown<>("x")),
            unknown),
        row("L3 not used", Grounds.UNUSED, facts(FREE), detach),
        row("L4 in use after all", Grounds.UNUSED, facts(USED), keep),
        row(
            "L5 the status lists it",
            Grounds.UNUSED,
            facts(LISTED),
            DetachVerdict.StillListed.class),
        row("L6 absent node", Grounds.UNUSED, facts(new Fact.Absent<>()), detach),
        row("L7 tainted", Grounds.OUT_OF_SERVICE, facts(node("False", true, TAINT)), detach),
        row("L8 the taint was removed", Grounds.OUT_OF_SERVICE, facts(node("False", true)), keep),
        row("L9 not ready for too long", Grounds.TIMEOUT, facts(node("Unknown", true)), detach),
        row("L10 ready again", Grounds.TIMEOUT, facts(USED), keep),
        row(
            "L11 evidence is read last",
            Grounds.EVIDENCE,
            facts(node("False", true)),
            DetachIfDead.class),
        row(
            "L14 a deleted node is not dead",
            Grounds.EVIDENCE,
            facts(new Fact.Absent<>()),
            DetachIfDead.class),
        row(
            "L15 listed, so no evidence is read",
            Grounds.EVIDENCE,
            facts(LISTED),
            DetachVerdict.StillListed.class),
        row("L16 ready again, so no evidence is read", Grounds.EVIDENCE, facts(USED), keep));
  }

  @TestFactory
  Stream<DynamicTest> decideByDeath_tableRow_returnsVerdict() {
    return Stream.of(
        deathRow("L11 no evidence", new Fact.Absent<>(), DetachVerdict.Keep.class),
        deathRow("L12 dead", new Fact.Present<>("locked out"), DetachVerdict.Detach.class),
        deathRow("L13 not proven", new Fact.Unknown<>("alive?"), DetachVerdict.Keep.class));
  }

  private static DynamicTest deathRow(String title, Fact<String> deathFact, Class<?> verdict) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(DetachCheck.decideByDeath(deathFact)).isInstanceOf(verdict));
  }

  @TestFactory
  Stream<DynamicTest> decide_podFacts_rows() {
    Class<DetachVerdict.Detach> detach = DetachVerdict.Detach.class;
    Class<DetachVerdict.Keep> keep = DetachVerdict.Keep.class;
    Fact<CsiDriver> notAsked = new Fact.NotAsked<>();
    Fact<Pod> running = pod("u", "n", Pod.Phase.RUNNING);
    return Stream.of(
        questionRow(
            "P1 reads the pods", Grounds.UNUSED, facts(FREE, new Fact.NotAsked<>(), notAsked), POD),
        row(
            "P2 no answer",
            Grounds.UNUSED,
            facts(FREE, new Fact.Unknown<>("x"), notAsked),
            DetachVerdict.Unknown.class),
        row("P3 deleted", Grounds.UNUSED, facts(FREE, NO_POD, notAsked), detach),
        row(
            "P4 ended",
            Grounds.UNUSED,
            facts(FREE, pod("u", "n", Pod.Phase.FAILED), notAsked),
            detach),
        row(
            "P5 another pod of that name",
            Grounds.UNUSED,
            facts(FREE, pod("v", "n", Pod.Phase.RUNNING), notAsked),
            detach),
        row(
            "P6 on another node",
            Grounds.UNUSED,
            facts(FREE, pod("u", "m", Pod.Phase.RUNNING), notAsked),
            detach),
        questionRow(
            "P7 the pod runs: reads the driver",
            Grounds.UNUSED,
            facts(FREE, running, notAsked),
            DRIVER),
        row(
            "P8 the driver needs attachments",
            Grounds.UNUSED,
            facts(FREE, running, driver(true)),
            keep),
        row(
            "P9 without CSIDriver attachments are needed",
            Grounds.UNUSED,
            facts(FREE, running, new Fact.Absent<>()),
            keep),
        row(
            "P10 the driver needs no attachments",
            Grounds.UNUSED,
            facts(FREE, running, driver(false)),
            detach),
        row(
            "P11 no answer about the driver",
            Grounds.UNUSED,
            facts(FREE, running, new Fact.Unknown<>("x")),
            DetachVerdict.Unknown.class),
        row(
            "P12 a forced detach reads the pods too",
            Grounds.OUT_OF_SERVICE,
            facts(node("False", true, TAINT), running, driver(true)),
            keep),
        row(
            "P13 reads the pods even without a node",
            Grounds.TIMEOUT,
            facts(new Fact.Absent<>(), running, driver(true)),
            keep),
        DynamicTest.dynamicTest(
            "P14 no known user",
            () ->
                assertDecided(
                        decide(
                            Grounds.UNUSED,
                            List.of(),
                            facts(FREE, new Fact.NotAsked<>(), notAsked)))
                    .isInstanceOf(detach)));
  }

  private static Fact<Attachment> attachment(boolean attached) {
    return new Fact.Present<>(
        TestObjects.attachment(meta(ObjectKey.cluster("a"), "a"))
            .attacher("d")
            .volumeName("v")
            .nodeName("n")
            .attached(attached)
            .build());
  }

  private static DynamicTest earlierNodeRow(String title, Fact<Node> node, Class<?> verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertDecided(
                    DetachCheck.decide(
                        pendingDetach(Grounds.UNUSED, List.of(USER), true), facts(node)))
                .isInstanceOf(verdict));
  }

  @TestFactory
  Stream<DynamicTest> decide_newNodeNotReady_keepsOldReport() {
    return Stream.of(
        earlierNodeRow("R1 not ready yet", node("False", false), DetachVerdict.Keep.class),
        earlierNodeRow("R2 of unknown health", node("Unknown", false), DetachVerdict.Keep.class),
        earlierNodeRow("R3 ready", node("True", false), DetachVerdict.Detach.class));
  }

  @TestFactory
  Stream<DynamicTest> decide_onlyNodeReportsUse_needsAttachment() {
    Grounds grounds = Grounds.UNTRACED;
    LiveFacts used = facts(USED);
    return Stream.of(
        questionRow("T1 reads the attachment", grounds, used, ATTACHMENT),
        row(
            "T2 absent",
            grounds,
            used.with(ATTACHMENT, new Fact.Absent<>()),
            DetachVerdict.Detach.class),
        row(
            "T3 present",
            grounds,
            used.with(ATTACHMENT, attachment(false)),
            DetachVerdict.Keep.class),
        row(
            "T4 no answer",
            grounds,
            used.with(ATTACHMENT, new Fact.Unknown<>("x")),
            DetachVerdict.Unknown.class),
        row(
            "T5 no longer ready",
            grounds,
            facts(node("False", true)).with(ATTACHMENT, new Fact.Absent<>()),
            DetachVerdict.Keep.class),
        row("T6 a list", grounds, facts(LISTED), DetachVerdict.Keep.class));
  }

  @TestFactory
  Stream<DynamicTest> decide_neverListed_detachesDespiteUse() {
    Grounds grounds = Grounds.NEVER_LISTED;
    return Stream.of(
        row("V1 in use, not listed", grounds, facts(USED), DetachVerdict.Detach.class),
        row("V2 listed now", grounds, facts(LISTED), DetachVerdict.Keep.class),
        DynamicTest.dynamicTest(
            "V3 listed during the questions",
            () ->
                assertThat(
                        DetachCheck.keepIfListed(
                            new DetachVerdict.Detach("x"), Grounds.NEVER_LISTED, true))
                    .isInstanceOf(DetachVerdict.Keep.class)),
        DynamicTest.dynamicTest(
            "V4 other grounds do not rest on lists",
            () ->
                assertThat(
                        DetachCheck.keepIfListed(
                            new DetachVerdict.Detach("x"), Grounds.UNUSED, true))
                    .isInstanceOf(DetachVerdict.Detach.class)));
  }

  private static DynamicTest driftRow(
      String title,
      Fact<Attachment> attachment,
      Fact<Node> node,
      boolean wasUsed,
      Class<? extends DriftVerdict> verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertDecided(
                    decideDrift(
                        false,
                        wasUsed,
                        LiveFacts.NONE.with(ATTACHMENT, attachment).with(NODE, node)))
                .isInstanceOf(verdict));
  }

  private static Step<DriftVerdict> decideDrift(
      boolean isUnmanaged, boolean wasUsed, LiveFacts facts) {
    return DriftCheck.decide(new VolumeNode(ID, "n"), ATTACHMENT_KEY, isUnmanaged, wasUsed, facts);
  }

  @TestFactory
  Stream<DynamicTest> driftCheck_tableRow_returnsVerdict() {
    return Stream.of(
        driftRow(
            "D1 attached",
            attachment(true),
            new Fact.NotAsked<>(),
            false,
            DriftVerdict.Attached.class),
        driftRow("D2 no answer", new Fact.Unknown<>("x"), FREE, false, DriftVerdict.Unknown.class),
        DynamicTest.dynamicTest(
            "D0 reads the attachment first",
            () ->
                assertThat(decideDrift(false, false, LiveFacts.NONE))
                    .isEqualTo(Step.ask(ATTACHMENT))),
        DynamicTest.dynamicTest(
            "D3 not attached: reads the node",
            () ->
                assertThat(
                        decideDrift(
                            false, false, LiveFacts.NONE.with(ATTACHMENT, attachment(false))))
                    .isEqualTo(Step.ask(NODE))),
        driftRow(
            "D4 not attached, not used",
            attachment(false),
            FREE,
            true,
            DriftVerdict.Detached.class),
        driftRow(
            "D5 no attachment, not used",
            new Fact.Absent<>(),
            FREE,
            false,
            DriftVerdict.Detached.class),
        driftRow(
            "D6 no attachment, used",
            new Fact.Absent<>(),
            USED,
            false,
            DriftVerdict.Uncertain.class),
        driftRow(
            "D7 unknown whether it is in use",
            new Fact.Absent<>(),
            new Fact.Unknown<>("x"),
            false,
            DriftVerdict.Uncertain.class),
        driftRow(
            "D8 deleted node that used it",
            new Fact.Absent<>(),
            new Fact.Absent<>(),
            true,
            DriftVerdict.Uncertain.class),
        driftRow(
            "D9 deleted node that did not use it",
            new Fact.Absent<>(),
            new Fact.Absent<>(),
            false,
            DriftVerdict.Detached.class),
        driftRow(
            "D10 a new Node is not ready, and the old one used it",
            new Fact.Absent<>(),
            node("False", false),
            true,
            DriftVerdict.Uncertain.class),
        DynamicTest.dynamicTest(
            "D11 an unmanaged node has it while an attachment exists",
            () ->
                assertDecided(
                        decideDrift(
                            true, false, LiveFacts.NONE.with(ATTACHMENT, attachment(false))))
                    .isInstanceOf(DriftVerdict.Attached.class)),
        DynamicTest.dynamicTest(
            "D12 an unmanaged node without an attachment lacks it",
            () ->
                assertDecided(
                        decideDrift(
                            true,
                            false,
                            LiveFacts.NONE.with(ATTACHMENT, new Fact.Absent<>()).with(NODE, FREE)))
                    .isInstanceOf(DriftVerdict.Detached.class)));
  }

  private static DynamicTest neededRow(
      String title, AttachState earlierState, boolean isNeeded, boolean isKept) {
    DetachVerdict detach = new DetachVerdict.Detach("x");
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(DetachCheck.keepIfNeeded(detach, earlierState, isNeeded))
                .isEqualTo(isKept ? new DetachVerdict.Needed() : detach));
  }

  @TestFactory
  Stream<DynamicTest> keepIfNeeded_podIsBack_keepsAttachedVolume() {
    return Stream.of(
        neededRow("B1 a pod is back", AttachState.ATTACHED, true, true),
        neededRow("B2 no pod is back", AttachState.ATTACHED, false, false),
        neededRow("B3 uncertain: it is detached first", AttachState.UNCERTAIN, true, false));
  }
}
