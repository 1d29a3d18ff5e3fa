package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kubelet of node {@code plain} attaches and detaches its volumes itself. */
class UnmanagedNodeExplainTest {
  private static final String ATTACHMENT_NAME = Attachment.nameOf("d", "h", "plain");

  private final SimTime time = new SimTime();

  private static Pod pod(String name, String node, Pod.Phase phase) {
    return TestObjects.pod("ns", name).claims("c").nodeName(node).phase(phase).build();
  }

  private static GivenClusterView clusterView(List<Attachment> attachments, Pod... pods) {
    Volume volume =
        TestObjects.volume("pv")
            .accessModes("ReadWriteOnce")
            .source(VolumeSource.csi("d", "h"))
            .claimRef(ObjectKey.of("ns", "c"), "u")
            .phase(VolumePhase.BOUND)
            .build();
    Claim claim =
        TestObjects.claim("ns", "c").uid("u").accessModes("ReadWriteOnce").boundTo(volume).build();
    return new GivenClusterView()
        .with(
            Informer.of(
                Kind.POD,
                List.of(IndexSet.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE),
                List.of(pods)))
        .with(Kind.CLAIM, List.of(claim))
        .with(Kind.VOLUME, List.of(volume))
        .with(
            Kind.NODE,
            List.of(
                TestObjects.node("plain").ready("True").build(),
                TestObjects.node("managed")
                    .annotation("volumes.kubernetes.io/controller-managed-attach-detach", "true")
                    .ready("True")
                    .build()))
        .with(Kind.CSI_DRIVER, List.of(TestObjects.csiDriver("d").attachRequired(true).build()))
        .with(Kind.ATTACHMENT, attachments);
  }

  private static Attachment attachment(String name, boolean attached) {
    return TestObjects.attachment(name)
        .attacher("d")
        .volumeName("pv")
        .nodeName("plain")
        .attached(attached)
        .build();
  }

  private List<Explanation> explain(GivenClusterView clusterView, Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    List<Explanation> explanations = new ArrayList<>();
    for (Explainer explainer : AttachExplainers.of(clusterView, time)) {
      if (explainer.kind().equals(kind)) {
        explanations.addAll(explainer.explain(key, Explainer.Detail.EVIDENCE));
      }
    }
    return explanations;
  }

  private Explanation explainPod(GivenClusterView clusterView, String name)
      throws InterruptedException {
    return explain(clusterView, Kind.POD, ObjectKey.of("ns", name)).getFirst();
  }

  private static void assertKeepsPod(Explanation explanation) {
    String text = explanation.cause() + " " + explanation.message() + " " + explanation.nextStep();
    assertThat(text).doesNotContain("delete the pod", "end the pod", "no pod here needs it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"by-hand", "standard"})
  void explain_podRunsOnUnmanagedNode_doesNotAdviseToDeletePod(String name) throws Exception {
    String attachment = name.equals("standard") ? ATTACHMENT_NAME : name;
    GivenClusterView clusterView =
        clusterView(List.of(attachment(attachment, true)), pod("p", "plain", Pod.Phase.RUNNING));
    Explanation attachmentExplanation =
        explain(clusterView, Kind.ATTACHMENT, ObjectKey.cluster(attachment)).getFirst();
    assertThat(attachmentExplanation.cause().code()).isEqualTo("LeftToKubelet");
    assertKeepsPod(attachmentExplanation);
    assertThat(explainPod(clusterView, "p").cause().code()).isEqualTo("VolumesReady");
    for (Explanation explanation : explain(clusterView, Kind.NODE, ObjectKey.cluster("plain"))) {
      assertThat(explanation.cause().code()).isEqualTo("NodeSettled");
      assertKeepsPod(explanation);
    }
  }

  @Test
  void explain_podPendingOnUnmanagedNode_waitsForKubelet() throws Exception {
    Explanation explanation =
        explainPod(clusterView(List.of(), pod("p", "plain", Pod.Phase.PENDING)), "p");
    assertThat(explanation.cause().code()).isEqualTo("LeftToKubelet");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.KUBELET);
    assertThat(explanation.nextStep().action()).isEqualTo(ExpectedAction.ATTACH);
    assertThat(explanation.nextStep().sentence())
        .isEqualTo("the kubelet of node plain attaches volume pv itself, before it starts the pod");
  }

  @Test
  void explain_attachmentOfKubeletNotAttached_waitsForDriver() throws Exception {
    GivenClusterView clusterView =
        clusterView(
                List.of(attachment(ATTACHMENT_NAME, false)), pod("p", "plain", Pod.Phase.PENDING))
            .withReadError(Kind.CSI_NODE, "forbidden");
    Explanation explanation =
        explain(clusterView, Kind.ATTACHMENT, ObjectKey.cluster(ATTACHMENT_NAME)).getFirst();
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.DRIVER);
  }

  /** The kubelet detaches after the pod, and nothing else takes the volume from the node. */
  @Test
  void explain_podNeedsVolumeOfUnmanagedNode_waitsForKubelet() throws Exception {
    GivenClusterView clusterView =
        clusterView(
            List.of(attachment(ATTACHMENT_NAME, true)),
            pod("p", "plain", Pod.Phase.RUNNING),
            pod("q", "managed", Pod.Phase.PENDING));
    Explanation explanation = explainPod(clusterView, "q");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.KUBELET);
    assertThat(explanation.nextStep().action()).isEqualTo(ExpectedAction.DETACH);
    Explanation node = explain(clusterView, Kind.NODE, ObjectKey.cluster("plain")).getFirst();
    assertThat(node.cause().code()).isEqualTo("LeftToKubelet");
    assertThat(node.nextStep().actor()).isEqualTo(StepActor.KUBELET);
  }

  /** Only its kubelet may detach the volume after the pod has ended. */
  @Test
  void explain_attachmentWithoutPod_isLeftToKubelet() throws Exception {
    GivenClusterView clusterView = clusterView(List.of(attachment(ATTACHMENT_NAME, true)));
    Explanation explanation =
        explain(clusterView, Kind.ATTACHMENT, ObjectKey.cluster(ATTACHMENT_NAME)).getFirst();
    assertThat(explanation.cause().code()).isEqualTo("LeftToKubelet");
  }
}
