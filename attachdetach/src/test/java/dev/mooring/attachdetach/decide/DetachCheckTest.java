package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck.DetachFinding;
import dev.mooring.attachdetach.decide.DetachCheck.DetachIfDead;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.DriftCheck.DriftVerdict;
import dev.mooring.attachdetach.decide.NodeView.Held;
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
  private static final Question<Node> NODE = new Question.One<>(Kind.NODE, ObjectKey.cluster("n"));
  private static final Question<Pod> POD = new Question.One<>(Kind.POD, USER.pod());
  private static final Question<CsiDriver> DRIVER =
      new Question.One<>(Kind.CSI_DRIVER, ObjectKey.cluster("d"));
  private static final ObjectKey ATTACHMENT_KEY = new VolumeId.Csi("d", "h").attachment("n");
  private static final Question<Attachment> ATTACHMENT =
      new Question.One<>(Kind.ATTACHMENT, ATTACHMENT_KEY);

  private static Meta meta(ObjectKey key, String uid) {
    return TestObjects.metaOf(key).uid(uid).created(1).meta();
  }

  private static Fact<Node> node(String ready, boolean used, String... taints) {
    return new Fact.Present<>(
        TestObjects.node(meta(ObjectKey.cluster("n"), "n"))
            .taints(List.of(taints))
            .ready(ready)
            .volumesInUse(used ? List.of(ID.text()) : List.of())
            .build());
  }

  private static final Fact<Node> LISTING =
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

  private static PendingDetach detachment(
      Grounds grounds, List<PastUser> users, boolean usedByEarlierNode) {
    return new PendingDetach(ID, "n", grounds, users, usedByEarlierNode);
  }

  private static Step<DetachFinding> decide(
      Grounds grounds, List<PastUser> users, LiveFacts facts) {
    return DetachCheck.decide(detachment(grounds, users, false), facts);
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

  private static DynamicTest asks(
      String title, Grounds grounds, LiveFacts facts, Question<?> question) {
    return DynamicTest.dynamicTest(
        title,
        () -> assertThat(decide(grounds, List.of(USER), facts)).isEqualTo(Step.ask(question)));
  }

  @TestFactory
  Stream<DynamicTest> decide_nodeFacts_rows() {
    Class<DetachVerdict.Detach> detach = DetachVerdict.Detach.class;
    Class<DetachVerdict.Stay> stay = DetachVerdict.Stay.class;
    Class<DetachVerdict.Unknown> unknown = DetachVerdict.Unknown.class;
    return Stream.of(
        asks("L1 reads the node first", Grounds.UNUSED, LiveFacts.NONE, NODE),
        row(
            "L2 no answer about the node",
            Grounds.TIMEOUT,
            facts(new Fact.Unknown<>("x")),
            unknown),
        row("L3 not used", Grounds.UNUSED, facts(FREE), detach),
        row("L4 in use after all", Grounds.UNUSED, facts(USED), stay),
        row(
            "L5 the status lists it",
            Grounds.UNUSED,
            facts(LISTING),
            DetachVerdict.StillListed.class),
        row("L6 absent node", Grounds.UNUSED, facts(new Fact.Absent<>()), detach),
        row("L7 tainted", Grounds.OUT_OF_SERVICE, facts(node("False", true, TAINT)), detach),
        row("L8 the taint was removed", Grounds.OUT_OF_SERVICE, facts(node("False", true)), stay),
        row("L9 not ready for too long", Grounds.TIMEOUT, facts(node("Unknown", true)), detach),
        row("L10 ready again", Grounds.TIMEOUT, facts(USED), stay),
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
            facts(LISTING),
            DetachVerdict.StillListed.class));
  }

  @TestFactory
  Stream<DynamicTest> ofDeath_rows() {
    return Stream.of(
        evidence("L11 no evidence", new Fact.Absent<>(), DetachVerdict.Stay.class),
        evidence("L12 dead", new Fact.Present<>("locked out"), DetachVerdict.Detach.class),
        evidence("L13 not proven", new Fact.Unknown<>("alive?"), DetachVerdict.Stay.class));
  }

  private static DynamicTest evidence(String title, Fact<String> death, Class<?> verdict) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(DetachCheck.ofDeath(death)).isInstanceOf(verdict));
  }

  @TestFactory
  Stream<DynamicTest> decide_podFacts_rows() {
    Class<DetachVerdict.Detach> detach = DetachVerdict.Detach.class;
    Class<DetachVerdict.Stay> stay = DetachVerdict.Stay.class;
    Fact<CsiDriver> notAsked = new Fact.NotAsked<>();
    Fact<Pod> running = pod("u", "n", Pod.Phase.RUNNING);
    return Stream.of(
        asks(
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
        asks(
            "P7 the pod runs: reads the driver",
            Grounds.UNUSED,
            facts(FREE, running, notAsked),
            DRIVER),
        row(
            "P8 the driver needs attachments",
            Grounds.UNUSED,
            facts(FREE, running, driver(true)),
            stay),
        row(
            "P9 without CSIDriver attachments are needed",
            Grounds.UNUSED,
            facts(FREE, running, new Fact.Absent<>()),
            stay),
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
            stay),
        row(
            "P13 reads the pods even without a node",
            Grounds.TIMEOUT,
            facts(new Fact.Absent<>(), running, driver(true)),
            stay),
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

  private static DynamicTest before(String title, Fact<Node> node, Class<?> verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertDecided(
                    DetachCheck.decide(
                        detachment(Grounds.UNUSED, List.of(USER), true), facts(node)))
                .isInstanceOf(verdict));
  }

  @TestFactory
  Stream<DynamicTest> newNode_untilReady_keepsTheOldReport() {
    return Stream.of(
        before("R1 not ready yet", node("False", false), DetachVerdict.Stay.class),
        before("R2 of unknown health", node("Unknown", false), DetachVerdict.Stay.class),
        before("R3 ready", node("True", false), DetachVerdict.Detach.class));
  }

  @TestFactory
  Stream<DynamicTest> ownReport_withoutASecondTrace_isNotEnough() {
    Grounds grounds = Grounds.UNTRACED;
    LiveFacts used = facts(USED);
    return Stream.of(
        asks("T1 reads the attachment", grounds, used, ATTACHMENT),
        row(
            "T2 absent",
            grounds,
            used.with(ATTACHMENT, new Fact.Absent<>()),
            DetachVerdict.Detach.class),
        row(
            "T3 present",
            grounds,
            used.with(ATTACHMENT, attachment(false)),
            DetachVerdict.Stay.class),
        row(
            "T4 no answer",
            grounds,
            used.with(ATTACHMENT, new Fact.Unknown<>("x")),
            DetachVerdict.Unknown.class),
        row(
            "T5 no longer ready",
            grounds,
            facts(node("False", true)).with(ATTACHMENT, new Fact.Absent<>()),
            DetachVerdict.Stay.class),
        row("T6 a list", grounds, facts(LISTING), DetachVerdict.Stay.class));
  }

  @TestFactory
  Stream<DynamicTest> neverListed_isNotMounted() {
    Grounds grounds = Grounds.NEVER_LISTED;
    return Stream.of(
        row("V1 in use, not listed", grounds, facts(USED), DetachVerdict.Detach.class),
        row("V2 listed now", grounds, facts(LISTING), DetachVerdict.Stay.class),
        DynamicTest.dynamicTest(
            "V3 listed during the questions",
            () ->
                assertThat(
                        DetachCheck.unlessListed(
                            new DetachVerdict.Detach("x"), Grounds.NEVER_LISTED, false))
                    .isInstanceOf(DetachVerdict.Stay.class)),
        DynamicTest.dynamicTest(
            "V4 other grounds do not rest on lists",
            () ->
                assertThat(
                        DetachCheck.unlessListed(
                            new DetachVerdict.Detach("x"), Grounds.UNUSED, false))
                    .isInstanceOf(DetachVerdict.Detach.class)));
  }

  private static DynamicTest drift(
      String title,
      Fact<Attachment> attachment,
      Fact<Node> node,
      boolean usedLast,
      Class<? extends DriftVerdict> verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertDecided(
                    drift(
                        false,
                        usedLast,
                        LiveFacts.NONE.with(ATTACHMENT, attachment).with(NODE, node)))
                .isInstanceOf(verdict));
  }

  private static Step<DriftVerdict> drift(boolean unmanaged, boolean usedLast, LiveFacts facts) {
    return DriftCheck.decide(new VolumeNode(ID, "n"), ATTACHMENT_KEY, unmanaged, usedLast, facts);
  }

  @TestFactory
  Stream<DynamicTest> driftCheck_rows() {
    return Stream.of(
        drift(
            "D1 attached",
            attachment(true),
            new Fact.NotAsked<>(),
            false,
            DriftVerdict.Attached.class),
        drift("D2 no answer", new Fact.Unknown<>("x"), FREE, false, DriftVerdict.Unknown.class),
        DynamicTest.dynamicTest(
            "D0 reads the attachment first",
            () -> assertThat(drift(false, false, LiveFacts.NONE)).isEqualTo(Step.ask(ATTACHMENT))),
        DynamicTest.dynamicTest(
            "D3 not attached: reads the node",
            () ->
                assertThat(drift(false, false, LiveFacts.NONE.with(ATTACHMENT, attachment(false))))
                    .isEqualTo(Step.ask(NODE))),
        drift(
            "D4 not attached, not used",
            attachment(false),
            FREE,
            true,
            DriftVerdict.Detached.class),
        drift(
            "D5 no attachment, not used",
            new Fact.Absent<>(),
            FREE,
            false,
            DriftVerdict.Detached.class),
        drift(
            "D6 no attachment, used", new Fact.Absent<>(), USED, false, DriftVerdict.Perhaps.class),
        drift(
            "D7 unknown whether it is in use",
            new Fact.Absent<>(),
            new Fact.Unknown<>("x"),
            false,
            DriftVerdict.Perhaps.class),
        drift(
            "D8 deleted node that used it",
            new Fact.Absent<>(),
            new Fact.Absent<>(),
            true,
            DriftVerdict.Perhaps.class),
        drift(
            "D9 deleted node that did not use it",
            new Fact.Absent<>(),
            new Fact.Absent<>(),
            false,
            DriftVerdict.Detached.class),
        drift(
            "D10 a new Node is not ready, and the old one used it",
            new Fact.Absent<>(),
            node("False", false),
            true,
            DriftVerdict.Perhaps.class),
        DynamicTest.dynamicTest(
            "D11 an unmanaged node has it while an attachment exists",
            () ->
                assertDecided(
                        drift(true, false, LiveFacts.NONE.with(ATTACHMENT, attachment(false))))
                    .isInstanceOf(DriftVerdict.Attached.class)),
        DynamicTest.dynamicTest(
            "D12 an unmanaged node without an attachment lacks it",
            () ->
                assertDecided(
                        drift(
                            true,
                            false,
                            LiveFacts.NONE.with(ATTACHMENT, new Fact.Absent<>()).with(NODE, FREE)))
                    .isInstanceOf(DriftVerdict.Detached.class)));
  }

  private static DynamicTest last(String title, Held before, boolean wanted, boolean needed) {
    DetachVerdict asked = new DetachVerdict.Detach("x");
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(DetachCheck.unlessWanted(asked, before, wanted))
                .isEqualTo(needed ? new DetachVerdict.Needed() : asked));
  }

  @TestFactory
  Stream<DynamicTest> unlessWanted_podIsBack_needsVolume() {
    return Stream.of(
        last("B1 a pod is back", Held.YES, true, true),
        last("B2 no pod is back", Held.YES, false, false),
        last("B3 uncertain: it is detached first", Held.PERHAPS, true, false));
  }
}
