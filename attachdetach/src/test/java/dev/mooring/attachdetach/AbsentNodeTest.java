package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods remain on node {@code ghost}, whose Node object does not exist. */
class AbsentNodeTest {
  private static final String ATTACHMENT_NAME = Attachment.nameOf("d", "h-v", "ghost");
  private static final String REMEDY =
      "let the kubelet of ghost register again; if its machine is certainly off, wait for pod garbage"
          + " collection or delete the pods with --force";

  private final SimTime time = new SimTime();

  private static Pod pod(String name, String node) {
    return TestObjects.pod("ns", name).claims("c").nodeName(node).phase(Pod.Phase.RUNNING).build();
  }

  private static GivenClusterView clusterView(List<Attachment> attachments, Pod... pods) {
    Volume volume =
        TestObjects.volume("v")
            .accessModes("ReadWriteOnce")
            .source(VolumeSource.csi("d", "h-v"))
            .claimRef(ObjectKey.of("ns", "c"), "u")
            .phase(VolumePhase.BOUND)
            .build();
    Claim claim =
        TestObjects.claim("ns", "c").uid("u").accessModes("ReadWriteOnce").boundTo(volume).build();
    Node managed =
        TestObjects.node("managed")
            .annotation("volumes.kubernetes.io/controller-managed-attach-detach", "true")
            .ready("True")
            .build();
    return new GivenClusterView()
        .with(
            Informer.of(
                Kind.POD,
                List.of(IndexSet.PODS_BY_CLAIM, AttachDetachController.PODS_BY_NODE),
                List.of(pods)))
        .with(Kind.CLAIM, List.of(claim))
        .with(Kind.VOLUME, List.of(volume))
        .with(Kind.NODE, List.of(managed))
        .with(Kind.CSI_DRIVER, List.of(TestObjects.csiDriver("d").attachRequired(true).build()))
        .with(Kind.ATTACHMENT, attachments);
  }

  private static Attachment attachment() {
    return TestObjects.attachment(ATTACHMENT_NAME)
        .attacher("d")
        .volumeName("v")
        .nodeName("ghost")
        .attached(true)
        .build();
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

  private static void assertNamesRemedy(Explanation explanation) {
    assertThat(explanation.cause().code()).isEqualTo("NodeObjectAbsent");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text()).isEqualTo(REMEDY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void explain_podOfAbsentNode_namesNodeAndRemedy(boolean attached) throws Exception {
    List<Attachment> attachments = attached ? List.of(attachment()) : List.of();
    Explanation explanation =
        explain(clusterView(attachments, pod("p", "ghost")), Kind.POD, ObjectKey.of("ns", "p"));
    assertNamesRemedy(explanation);
    assertThat(explanation.message()).isEqualTo("there is no Node ghost");
  }

  @Test
  void explain_attachmentToAbsentNodeWithPods_namesRemedy() throws Exception {
    GivenClusterView clusterView = clusterView(List.of(attachment()), pod("p", "ghost"));
    assertNamesRemedy(explain(clusterView, Kind.ATTACHMENT, ObjectKey.cluster(ATTACHMENT_NAME)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void explain_podWaitsForAbsentNode_namesRemedy(boolean attached) throws Exception {
    List<Attachment> attachments = attached ? List.of(attachment()) : List.of();
    GivenClusterView clusterView = clusterView(attachments, pod("p", "ghost"), pod("q", "managed"));
    Explanation explanation = explain(clusterView, Kind.POD, ObjectKey.of("ns", "q"));
    assertNamesRemedy(explanation);
    assertThat(explanation.evidence().holders().getFirst().releaseCondition())
        .isEqualTo("there is no such Node; used there by pod ns/p");
  }

  @Test
  void explain_nodesUnreadable_namesAnotherCause() throws Exception {
    GivenClusterView clusterView =
        clusterView(List.of(attachment()), pod("p", "ghost")).withReadError(Kind.NODE, "forbidden");
    assertThat(explain(clusterView, Kind.POD, ObjectKey.of("ns", "p")).cause().code())
        .isNotEqualTo("NodeObjectAbsent");
    assertThat(
            explain(clusterView, Kind.ATTACHMENT, ObjectKey.cluster(ATTACHMENT_NAME))
                .cause()
                .code())
        .isNotEqualTo("NodeObjectAbsent");
  }

  /** The controller starts after the Node was deleted, or sees the deletion. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void event_podWaitsForAbsentNode_namesRemedy(boolean wasNodeCached) throws Exception {
    AttachCluster cluster = new AttachCluster();
    VolumeId id = VolumeId.csi("d", "h-v");
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n2");
    cluster.attachment(
        id.csi().orElseThrow().attachment("ghost"), "v", "ghost", false, true, "", "");
    if (wasNodeCached) {
      cluster.node("ghost", "True", List.of(), List.of(id.text()), Map.of(id.text(), ""));
    }
    cluster.pod("ns", "a", "ghost", "v");
    StepwiseController steps =
        cluster.start(
            time,
            new AttachDetachConfig(
                Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING));
    steps.settle();
    if (wasNodeCached) {
      cluster.remove(cluster.nodes, cluster.nodes.get(ObjectKey.cluster("ghost")).orElseThrow());
    }
    cluster.pod("ns", "b", "n2", "v");
    for (int i = 0; i < 24; i++) {
      time.advance(Duration.ofSeconds(5));
      steps.settle();
    }
    steps.close();
    assertThat(cluster.notes)
        .isNotEmpty()
        .allSatisfy(
            note -> assertThat(note).contains("pod(s) a. Node ghost does not exist: " + REMEDY));
  }
}
