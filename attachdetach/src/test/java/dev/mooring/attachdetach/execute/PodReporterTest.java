package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events of waiting pods, with their reasons. */
class PodReporterTest {
  private static final VolumeId ID = VolumeId.csi("d", "v");
  private static final AttachTarget TARGET =
      new AttachTarget(ID, "pv", true, "pv", VolumeSource.csi("d", "v"), Map.of());
  private static final String PREFIX = "Multi-Attach error for volume \"pv\" ";

  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld state = new StateOfWorld();
  private final DesiredStateOfWorld desired = state.desired();
  private final SimTime time = new SimTime();
  private final PodReporter kubernetes =
      new PodReporter(
          cluster::recordEvent,
          state.desired(),
          new AttachStats(),
          time,
          AttachEventStyle.AS_KUBERNETES);
  private final PodReporter mooring =
      new PodReporter(
          cluster::recordEvent,
          state.desired(),
          new AttachStats(),
          time,
          AttachEventStyle.EXPLAINING);

  private void putPod(String namespace, String name, String node) {
    desired.use(
        new PodUse(ObjectKey.of(namespace, name), Uid.of(namespace + name), node),
        List.of(TARGET),
        Set.of());
  }

  private static List<AttachStep> createBlocked(HoldReason reason, Duration remainingWait) {
    return List.of(
        new AttachStep.Blocked("n1", List.of(new VolumeHolder("n2", reason, remainingWait))));
  }

  private static List<AttachStep> createBlocked() {
    return List.of(
        new AttachStep.Blocked("n1", List.of(new VolumeHolder("n2", HoldReason.WANTED, null))));
  }

  @Test
  void reportWaiting_noKnownUser_usesKubernetesText() {
    putPod("ns1", "pod1", "n1");
    kubernetes.reportWaiting(ID, createBlocked());
    assertThat(cluster.notes)
        .containsExactly(
            PREFIX
                + "Volume is already exclusively attached to one node and can't be attached to another");
  }

  @Test
  void reportWaiting_userInOwnNamespace_namesPod() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    kubernetes.reportWaiting(ID, createBlocked());
    assertThat(cluster.notes).containsExactly(PREFIX + "Volume is already used by pod(s) pod2");
  }

  @Test
  void reportWaiting_userInOtherNamespace_countsPod() {
    putPod("ns1", "pod1", "n1");
    putPod("ns2", "pod2", "n2");
    kubernetes.reportWaiting(ID, createBlocked());
    assertThat(cluster.notes)
        .containsExactly(PREFIX + "Volume is already used by 1 pod(s) in different namespaces");
  }

  @Test
  void reportWaiting_usersInBothNamespaces_emitsOneEvent() {
    putPod("ns1", "pod1", "n1");
    putPod("ns2", "pod2", "n2");
    putPod("ns1", "pod3", "n3");
    List<VolumeHolder> holders =
        List.of(
            new VolumeHolder("n2", HoldReason.WANTED, null),
            new VolumeHolder("n3", HoldReason.WANTED, null));
    kubernetes.reportWaiting(ID, List.of(new AttachStep.Blocked("n1", holders)));
    kubernetes.reportWaiting(ID, createBlocked(HoldReason.IN_USE, null));
    assertThat(cluster.notes)
        .containsExactly(
            PREFIX + "Volume is already used by pod(s) pod3 and 1 pod(s) in different namespaces");
    assertThat(cluster.events).containsExactly("pod1 Warning FailedAttachVolume");
  }

  @Test
  void report_twoVolumesWithOneHandle_namesVolumeOfPod() {
    AttachTarget twin =
        new AttachTarget(ID, "twin", true, "twin", VolumeSource.csi("d", "v"), Map.of());
    putPod("ns1", "pod1", "n1");
    desired.use(
        new PodUse(ObjectKey.of("ns2", "pod2"), Uid.of("ns2pod2"), "n2"), List.of(twin), Set.of());
    mooring.reportAttached(TARGET, "n2");
    mooring.reportAttachFailure(TARGET, "n2", "no route");
    mooring.reportWaiting(
        ID,
        List.of(
            new AttachStep.Blocked(
                "n2", List.of(new VolumeHolder("n1", HoldReason.WANTED, null)))));
    assertThat(cluster.notes)
        .hasSize(3)
        .allSatisfy(note -> assertThat(note).contains("volume \"twin\"").doesNotContain("\"pv\""));
  }

  /** Both nodes may have it and neither gets it; without an event the cause stays hidden. */
  @Test
  void reportWaiting_uncertainHolder_namesNode() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    mooring.reportWaiting(ID, createBlocked(HoldReason.UNCERTAIN, null));
    assertThat(cluster.notes)
        .singleElement()
        .asString()
        .contains("Node n2 reports it in use, and it is unknown whether it is attached there");
  }

  /** A waiting pod does not have the volume. */
  @Test
  void reportWaiting_podsOnNodesWithoutVolume_areNotNamed() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    putPod("ns1", "pod3", "n3");
    putPod("ns2", "pod4", "n4");
    kubernetes.reportWaiting(ID, createBlocked());
    mooring.reportWaiting(ID, createBlocked());
    assertThat(cluster.notes)
        .containsExactly(
            PREFIX + "Volume is already used by pod(s) pod2",
            PREFIX
                + "Volume is already used by pod(s) pod2. Node n2 keeps it until the pods there end");
  }

  @Test
  void reportWaiting_holderNotReadyWithPods_namesTaint() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    mooring.reportWaiting(ID, createBlocked(HoldReason.WANTED_NOT_READY, null));
    assertThat(cluster.notes)
        .containsExactly(
            PREFIX
                + "Volume is already used by pod(s) pod2. Node n2 is not ready, and keeps it while"
                + " pods there exist: if its machine is certainly off, add the taint"
                + " node.kubernetes.io/out-of-service with effect NoExecute");
  }

  @Test
  void reportWaiting_reasonChanges_emitsEventAgain() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    mooring.reportWaiting(ID, createBlocked());
    mooring.reportWaiting(ID, createBlocked());
    assertThat(cluster.takeNotes())
        .containsExactly(
            PREFIX
                + "Volume is already used by pod(s) pod2. Node n2 keeps it until the pods there end");
    desired.end(ObjectKey.of("ns1", "pod2"));
    mooring.reportWaiting(ID, createBlocked(HoldReason.IN_USE, null));
    assertThat(cluster.takeNotes().getFirst())
        .endsWith(
            "Node n2 is ready and still lists it in use: waiting for its kubelet to unmount it");
    mooring.reportWaiting(ID, createBlocked(HoldReason.IN_USE_NOT_READY, Duration.ofMinutes(6)));
    assertThat(cluster.takeNotes().getFirst())
        .endsWith(
            "Node n2 is not ready and lists it in use: force-detached at 2026-01-01T00:06:00Z,"
                + " or at once when the node gets the taint node.kubernetes.io/out-of-service");
    mooring.reportWaiting(ID, createBlocked(HoldReason.IN_USE_NOT_READY, Duration.ofMinutes(5)));
    assertThat(cluster.takeNotes()).as("the same, a minute later").isEmpty();
    mooring.reportWaiting(ID, createBlocked(HoldReason.IN_USE_NOT_READY, null));
    assertThat(cluster.takeNotes()).isEmpty();
    assertThat(mooring.reportWaiting(ID, createBlocked(HoldReason.DETACHING, null)))
        .contains(PodReporter.SLOW_OPERATION);
    assertThat(cluster.takeNotes()).as("most detaches take a moment").isEmpty();
    time.advance(PodReporter.SLOW_OPERATION);
    assertThat(mooring.reportWaiting(ID, createBlocked(HoldReason.DETACHING, null))).isEmpty();
    assertThat(cluster.takeNotes().getFirst()).contains("Node n2 is detaching it");
  }

  @Test
  void reportWaiting_podComesLaterToWaitingNode_emitsItsEvent() {
    putPod("ns1", "pod1", "n1");
    mooring.reportWaiting(ID, createBlocked());
    cluster.takeNotes();
    putPod("ns1", "pod3", "n1");
    mooring.reportWaiting(ID, createBlocked());
    assertThat(cluster.events).containsExactly("pod3 Warning FailedAttachVolume");
    cluster.takeNotes();
    mooring.reportWaiting(ID, createBlocked());
    assertThat(cluster.takeNotes()).as("both pods have the event").isEmpty();
  }

  @Test
  void reportWaiting_podReplacedUnderItsName_emitsEventAgain() {
    putPod("ns1", "pod1", "n1");
    mooring.reportWaiting(ID, createBlocked());
    cluster.takeNotes();
    desired.use(
        new PodUse(ObjectKey.of("ns1", "pod1"), Uid.of("successor"), "n1"),
        List.of(TARGET),
        Set.of());
    mooring.reportWaiting(ID, createBlocked());
    assertThat(cluster.takeNotes()).hasSize(1);
  }

  @Test
  void reportWaiting_podComesLaterAsInKubernetes_emitsNoEvent() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod3", "n1");
    kubernetes.reportWaiting(ID, createBlocked());
    assertThat(cluster.takeNotes()).as("both pods wait").hasSize(2);
    putPod("ns1", "pod4", "n1");
    kubernetes.reportWaiting(ID, createBlocked());
    assertThat(cluster.takeNotes()).isEmpty();
  }

  @Test
  void reportWaiting_slowAttachElsewhere_emitsOneEvent() {
    putPod("ns1", "pod1", "n1");
    putPod("ns1", "pod2", "n2");
    assertThat(mooring.reportWaiting(ID, createBlocked(HoldReason.ATTACHING, null)))
        .contains(PodReporter.SLOW_OPERATION);
    assertThat(cluster.takeNotes()).as("most attaches take a moment").isEmpty();
    time.advance(PodReporter.SLOW_OPERATION);
    assertThat(mooring.reportWaiting(ID, createBlocked(HoldReason.ATTACHING, null))).isEmpty();
    assertThat(cluster.takeNotes())
        .containsExactly(
            PREFIX
                + "Volume is already used by pod(s) pod2. Node n2 is attaching it: waiting for the"
                + " attach, and for the pods there to end");
    mooring.reportWaiting(ID, createBlocked(HoldReason.ATTACHING, null));
    assertThat(cluster.takeNotes()).as("unchanged at the next attempt").isEmpty();
  }

  @Test
  void reportWaiting_shortOperation_emitsNoEvent() {
    putPod("ns1", "pod1", "n1");
    mooring.reportWaiting(ID, createBlocked(HoldReason.ATTACHING, null));
    mooring.reportWaiting(ID, List.of(new AttachStep.Blocked("n1", List.of())));
    kubernetes.reportWaiting(ID, createBlocked(HoldReason.DETACHING, null));
    assertThat(cluster.notes).isEmpty();
  }
}
