package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The next step that a pod's explanation names is the step that happens. */
class PodExplainerTest {
  private final SimTime time = new SimTime();

  private static Node node(String name) {
    return TestObjects.node(name)
        .annotation("volumes.kubernetes.io/controller-managed-attach-detach", "true")
        .ready("True")
        .build();
  }

  private static Pod pod(String name, String node) {
    return TestObjects.pod("ns", name).claims("c").nodeName(node).build();
  }

  private static Volume volume(String mode, NodeAffinity affinity) {
    return TestObjects.volume("pv")
        .storage("1Gi")
        .accessModes(mode)
        .source(VolumeSource.csi("d", "h"))
        .nodeAffinity(affinity)
        .claimRef(ObjectKey.of("ns", "c"), "u")
        .phase(VolumePhase.BOUND)
        .build();
  }

  private static GivenClusterView clusterView(Volume volume, String mode, Pod... pods) {
    Claim claim =
        TestObjects.claim("ns", "c")
            .uid("u")
            .request("1Gi")
            .accessModes(mode)
            .boundTo(volume)
            .build();
    return new GivenClusterView()
        .with(
            Informer.of(
                Kind.POD,
                List.of(IndexSet.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE),
                List.of(pods)))
        .with(Kind.CLAIM, List.of(claim))
        .with(Kind.VOLUME, List.of(volume))
        .with(Kind.NODE, List.of(node("n1"), node("n2")))
        .with(Kind.CSI_DRIVER, List.of(TestObjects.csiDriver("d").attachRequired(true).build()));
  }

  private Explanation explainPod(GivenClusterView clusterView, String pod)
      throws InterruptedException {
    return explain(clusterView, Kind.POD, ObjectKey.of("ns", pod));
  }

  private Explanation explain(GivenClusterView clusterView, Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    for (Explainer explainer : AttachExplainers.of(clusterView, time)) {
      if (explainer.kind().equals(kind)) {
        return explainer.explain(key, Explainer.Detail.EVIDENCE).getFirst();
      }
    }
    throw new AssertionError(kind + " is not explained");
  }

  private static Attachment attachedTo(String node) {
    return TestObjects.attachment(Attachment.nameOf("d", "h", node))
        .attacher("d")
        .volumeName("pv")
        .nodeName(node)
        .attached(true)
        .build();
  }

  // node n1 has the volume and its pod, and does not report
  private static GivenClusterView clusterViewWithSilentNode() {
    return clusterView(
            volume("ReadWriteOnce", NodeAffinity.NONE),
            "ReadWriteOnce",
            pod("first", "n1"),
            pod("second", "n2"))
        .with(
            Kind.NODE,
            List.of(
                TestObjects.like(node("n1"))
                    .ready("Unknown")
                    .volumesAttached(Map.of(VolumeId.csi("d", "h").text(), ""))
                    .build(),
                node("n2")))
        .with(Kind.ATTACHMENT, List.of(attachedTo("n1")));
  }

  // one node, whose limit of the driver's volumes is 1
  private static GivenClusterView clusterViewWithSmallNode(Pod... pods) {
    return clusterView(volume("ReadWriteMany", NodeAffinity.NONE), "ReadWriteMany", pods)
        .with(Kind.NODE, List.of(node("n1")))
        .with(
            Kind.CSI_NODE,
            List.of(
                TestObjects.csiNode("n1")
                    .drivers(List.of(new CsiNode.Driver("d", "n1", List.of(), 1)))
                    .build()));
  }

  @Test
  void explain_volumeBeingAttachedElsewhere_namesAttachAndError() throws InterruptedException {
    Attachment failedAttachment =
        TestObjects.attachment(Attachment.nameOf("d", "h", "n1"))
            .attacher("d")
            .volumeName("pv")
            .nodeName("n1")
            .attachError("quota of attachments")
            .build();
    GivenClusterView clusterView =
        clusterView(
                volume("ReadWriteOnce", NodeAffinity.NONE),
                "ReadWriteOnce",
                pod("first", "n1"),
                pod("second", "n2"))
            .with(Kind.ATTACHMENT, List.of(failedAttachment));
    Explanation explanation = explainPod(clusterView, "second");
    assertThat(explanation.cause().code()).isEqualTo("MultiAttach");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.DRIVER);
    assertThat(explanation.nextStep().action()).isEqualTo(ExpectedAction.ATTACH);
    assertThat(explanation.nextStep().text())
        .isEqualTo(
            "d attaches volume pv to node n1, if its attacher runs; other nodes get it when the"
                + " pods there end");
    assertThat(explanation.evidence().errors())
        .as("the root cause")
        .containsExactly("quota of attachments");
  }

  @Test
  void explain_silentNodeKeepsVolume_namesTaint() throws InterruptedException {
    Explanation explanation = explainPod(clusterViewWithSilentNode(), "second");
    assertThat(explanation.cause().code()).isEqualTo("MultiAttach");
    assertThat(explanation.nextStep().text())
        .isEqualTo(
            "repair node n1; if its machine is certainly off, add the taint"
                + " node.kubernetes.io/out-of-service with effect NoExecute");
    assertThat(explanation.evidence().holders())
        .containsExactly(new ObjectHolder("node", "n1", "not ready; used there by pod ns/first"));
  }

  @Test
  void explain_silentNode_namesTaint() throws InterruptedException {
    Explanation explanation =
        explain(clusterViewWithSilentNode(), Kind.NODE, ObjectKey.cluster("n1"));
    assertThat(explanation.cause().code()).isEqualTo("NeededElsewhere");
    assertThat(explanation.nextStep().text())
        .isEqualTo(
            "repair node n1; if its machine is certainly off, add the taint"
                + " node.kubernetes.io/out-of-service with effect NoExecute");
  }

  @Test
  void explain_attachmentOfOtherClientElsewhere_advisesToDeleteIt() throws InterruptedException {
    Attachment foreignAttachment =
        TestObjects.attachment("made-by-hand")
            .attacher("d")
            .volumeName("pv")
            .nodeName("n1")
            .attached(true)
            .build();
    GivenClusterView clusterView =
        clusterView(
                volume("ReadWriteOnce", NodeAffinity.NONE), "ReadWriteOnce", pod("second", "n2"))
            .with(Kind.ATTACHMENT, List.of(foreignAttachment));
    Explanation explanation = explainPod(clusterView, "second");
    assertThat(explanation.cause().code()).isEqualTo("MultiAttach");
    assertThat(explanation.nextStep().text())
        .isEqualTo("delete the VolumeAttachment if its creator does not need it");
    assertThat(explanation.evidence().holders())
        .containsExactly(new ObjectHolder("node", "n1", "it is attached there by another client"));
  }

  @Test
  void explain_volumeAlreadyUsedOnFullNode_needsNoRoom() throws InterruptedException {
    GivenClusterView clusterView =
        clusterViewWithSmallNode(pod("first", "n1"), pod("second", ""))
            .with(Kind.ATTACHMENT, List.of(attachedTo("n1")));
    assertThat(explainPod(clusterView, "second").cause().code()).isNotEqualTo("NoNodeForVolumes");
  }

  @Test
  void explain_volumeNamedTwice_needsRoomOnce() throws InterruptedException {
    Pod pod = TestObjects.pod("ns", "first").claims("c", "c").nodeName("").build();
    assertThat(explainPod(clusterViewWithSmallNode(pod), "first").cause().code())
        .isNotEqualTo("NoNodeForVolumes");
  }

  @Test
  void explain_volumeNewOnFullNode_hasNoNode() throws InterruptedException {
    Attachment otherVolume =
        TestObjects.attachment("other")
            .attacher("d")
            .volumeName("other")
            .nodeName("n1")
            .attached(true)
            .build();
    GivenClusterView clusterView = clusterViewWithSmallNode(pod("first", ""));
    Volume volume = volume("ReadWriteMany", NodeAffinity.NONE);
    clusterView
        .with(
            Kind.VOLUME,
            List.of(volume, TestObjects.volume("other").source(VolumeSource.csi("d", "o")).build()))
        .with(Kind.ATTACHMENT, List.of(otherVolume));
    assertThat(explainPod(clusterView, "first").cause().code()).isEqualTo("NoNodeForVolumes");
  }

  @Test
  void explain_readWriteOncePodClaim_namesPodThatUsesIt() throws InterruptedException {
    GivenClusterView clusterView =
        clusterView(
            volume("ReadWriteOncePod", NodeAffinity.NONE),
            "ReadWriteOncePod",
            pod("first", "n1"),
            pod("second", ""));
    Explanation explanation = explainPod(clusterView, "second");
    assertThat(explanation.cause().code()).isEqualTo("ClaimOfOnePod");
    assertThat(explanation.message())
        .isEqualTo("pod first uses claim c, which one pod at a time may use");
    assertThat(explanation.nextStep().sentence())
        .isEqualTo("the scheduler chooses a node when pod first ends");
  }

  @Test
  void explain_noNodeReachesVolume_doesNotAdviseToFreeCapacity() throws InterruptedException {
    NodeAffinity otherNodeAffinity =
        new NodeAffinity(
            List.of(
                new NodeAffinity.Term(
                    List.of(
                        new LabelSelector.Requirement(
                            "kubernetes.io/hostname", "In", List.of("old-node"))),
                    List.of())));
    GivenClusterView clusterView =
        clusterView(volume("ReadWriteOnce", otherNodeAffinity), "ReadWriteOnce", pod("first", ""));
    Explanation explanation = explainPod(clusterView, "first");
    assertThat(explanation.cause().code()).isEqualTo("NoNodeForVolumes");
    assertThat(explanation.nextStep().text())
        .contains("bring back or add a node that reaches all of the volumes")
        .doesNotContain("make room");
  }
}
