package dev.mooring.protection.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.protection.ProtectedObjects;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.VolumeService;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that explanations of objects that are being deleted match the decisions of their
 * protection.
 */
class TerminationExplainerTest {
  private static final String F = FinalizerDecider.CLAIM_FINALIZER;
  private static final UnreadableKind PODS =
      new UnreadableKind(Kind.POD, "403 forbidden", "whether pods use the claim");

  private static GivenClusterView clusterView(Pod... pods) {
    return new GivenClusterView()
        .with(Informer.of(Kind.POD, List.of(IndexSet.PODS_BY_CLAIM), List.of(pods)));
  }

  private static Explanation explainClaim(Claim claim, GivenClusterView clusterView)
      throws InterruptedException {
    clusterView.with(Kind.CLAIM, List.of(claim));
    return TerminationExplainer.ofClaims(clusterView, Compat.MOORING)
        .explain(claim.key(), Explainer.Detail.EVIDENCE)
        .getFirst();
  }

  private static Explanation explainVolume(Volume volume) throws InterruptedException {
    GivenClusterView clusterView = new GivenClusterView().with(Kind.VOLUME, List.of(volume));
    return TerminationExplainer.ofVolumes(clusterView)
        .explain(volume.key(), Explainer.Detail.EVIDENCE)
        .getFirst();
  }

  @Test
  void explain_claimUsedByPod_namesPod() throws InterruptedException {
    Explanation explanation =
        explainClaim(
            ProtectedObjects.claim(true, F),
            clusterView(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "c")));
    assertThat(explanation.cause().code()).isEqualTo("HeldByPods");
    assertThat(explanation.message()).isEqualTo("used by ns/p");
    assertThat(explanation.nextStep().text()).isEqualTo("delete the pod, or wait until it ends");
    assertThat(explanation.evidence().holders())
        .containsExactly(
            new ObjectHolder("pod", "ns/p", "on node node"),
            new ObjectHolder("finalizer", F, "claim protection: until no pod uses the claim"));
  }

  /** The kubelet of a dead node ends no pod, and the pod need not be deleted again. */
  @Test
  void explain_podsBeingDeleted_namesTaint() throws InterruptedException {
    Pod pod = ProtectedObjects.pod("node", Pod.Phase.RUNNING, "c");
    Pod deletedPod = TestObjects.like(pod).deleted(3).build();
    assertThat(
            explainClaim(ProtectedObjects.claim(true, F), clusterView(deletedPod))
                .nextStep()
                .text())
        .isEqualTo(
            "wait until the pod ends; if the machine of a pod's node is certainly off, add the"
                + " taint node.kubernetes.io/out-of-service with effect NoExecute to that node");
  }

  @Test
  void explain_onePodOfTwoBeingDeleted_namesOtherPod() throws InterruptedException {
    Pod deletedPod =
        TestObjects.like(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "c")).deleted(3).build();
    Pod otherPod = TestObjects.pod("ns", "q").claims("c").nodeName("node").build();
    assertThat(
            explainClaim(ProtectedObjects.claim(true, F), clusterView(deletedPod, otherPod))
                .nextStep()
                .text())
        .isEqualTo("delete pod ns/q, or wait until it ends");
  }

  @Test
  void explain_unusedClaim_isReleased() throws InterruptedException {
    Explanation explanation =
        explainClaim(
            ProtectedObjects.claim(true, F),
            clusterView(ProtectedObjects.pod("", Pod.Phase.PENDING, "c")));
    assertThat(explanation.cause().code()).isEqualTo("FinalizerDue");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.WORKING);
    assertThat(explanation.message()).isEqualTo("only its protection finalizer remains");
    assertThat(explanation.unreadableKinds()).isEmpty();
  }

  @Test
  void explain_podsUnreadable_reportsUnknownUse() throws InterruptedException {
    Explanation explanation =
        explainClaim(
            ProtectedObjects.claim(true, F),
            clusterView().withReadError(Kind.POD, "403 forbidden"));
    assertThat(explanation.cause().code()).isEqualTo("FinalizerDue");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.UNKNOWN);
    assertThat(explanation.message()).isEqualTo("it is unknown whether pods use it");
    assertThat(explanation.nextStep().text())
        .isEqualTo("repeat the command with the right to list pods");
    assertThat(explanation.unreadableKinds()).containsExactly(PODS);
  }

  @Test
  void explain_otherFinalizersAndPodsUnreadable_isHeldByFinalizers() throws InterruptedException {
    Explanation explanation =
        explainClaim(
            ProtectedObjects.claim(true, F, "x/y"),
            clusterView().withReadError(Kind.POD, "403 forbidden"));
    assertThat(explanation.cause().code()).isEqualTo("HeldByFinalizers");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.WAITING);
    assertThat(explanation.message()).isEqualTo("kept by x/y");
    assertThat(explanation.unreadableKinds()).containsExactly(PODS);
    assertThat(
            explainClaim(
                    ProtectedObjects.claim(true, "x/y"),
                    clusterView().withReadError(Kind.POD, "403 forbidden"))
                .unreadableKinds())
        .as("without the protection pods are irrelevant")
        .isEmpty();
  }

  private static Volume boundVolume(@Nullable ClaimRef ref) {
    return ProtectedObjects.withClaimRef(
        ref,
        ProtectedObjects.volume(VolumePhase.BOUND, true, "", FinalizerDecider.VOLUME_FINALIZER));
  }

  /** The claimRef was removed or emptied: there is no claim to delete. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void explain_boundVolumeWithoutClaim_isHeldByPhase(boolean isEmpty) throws InterruptedException {
    Explanation explanation =
        explainVolume(boundVolume(isEmpty ? new ClaimRef(new ObjectKey("", ""), Uid.NONE) : null));
    assertThat(explanation.cause().code()).isEqualTo("HeldByPhase");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.WORKING);
    assertThat(explanation.message()).isEqualTo("it is Bound, and names no claim");
    assertThat(explanation.nextStep().text())
        .isEqualTo(
            "removes the finalizer after its phase is corrected, unless a claim is bound to it");
    assertThat(explanation.evidence().holders())
        .contains(new ObjectHolder("phase", "Bound", "it names no claim"));
  }

  @Test
  void explain_boundVolume_namesClaim() throws InterruptedException {
    Explanation explanation =
        explainVolume(boundVolume(new ClaimRef(ObjectKey.of("ns", "c"), Uid.of("u"))));
    assertThat(explanation.cause().code()).isEqualTo("HeldByClaim");
    assertThat(explanation.message()).isEqualTo("bound to ns/c");
    assertThat(explanation.evidence().holders())
        .contains(new ObjectHolder("claim", "ns/c", "it is bound to the claim"));
    assertThat(explainVolume(ProtectedObjects.volume(VolumePhase.BOUND, true, "")).evidence())
        .isEqualTo(Evidence.NONE);
  }

  private static VolumeSnapshot snapshot(
      String name, String claim, boolean isReady, String problem) {
    return TestObjects.volumeSnapshot("ns", name)
        .sourceClaim(claim)
        .status(
            new VolumeSnapshot.Status(
                "", isReady, 0, Optional.empty(), new VolumeSnapshot.Problem(0, problem), ""))
        .build();
  }

  @Test
  void explain_claimHeldBySnapshots_namesSnapshotsNotReady() throws InterruptedException {
    Claim claim = ProtectedObjects.claim(true, F, VolumeSnapshot.CLAIM_PROTECTION);
    GivenClusterView clusterView =
        clusterView()
            .with(
                Kind.SNAPSHOT,
                List.of(
                    snapshot("good", "c", true, ""),
                    snapshot("broken-2", "c", false, "class \"none\" not found"),
                    snapshot("broken-1", "c", false, "class \"none\" not found"),
                    snapshot("other", "d", false, "")));
    Explanation explanation = explainClaim(claim, clusterView);
    assertThat(explanation.cause().code()).isEqualTo("HeldBySnapshots");
    assertThat(explanation.message())
        .isEqualTo("kept for snapshots broken-1, broken-2, which are not ready");
    assertThat(explanation.nextStep().sentence())
        .isEqualTo(
            "no controller acts: delete snapshots broken-1, broken-2, or correct what their status reports");
    assertThat(explanation.evidence().holders())
        .contains(
            new ObjectHolder("snapshot", "ns/broken-1", "not ready: class \"none\" not found"),
            new ObjectHolder(
                "finalizer",
                VolumeSnapshot.CLAIM_PROTECTION,
                "snapshot controller: while a snapshot of it is taken"));
    assertThat(explanation.unreadableKinds()).isEmpty();
  }

  @Test
  void explain_snapshotNotReady_waitsForController() throws InterruptedException {
    Claim claim = ProtectedObjects.claim(true, VolumeSnapshot.CLAIM_PROTECTION);
    Explanation explanation =
        explainClaim(
            claim, clusterView().with(Kind.SNAPSHOT, List.of(snapshot("slow", "c", false, ""))));
    assertThat(explanation.message()).isEqualTo("kept for snapshot slow, which is not ready");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.CONTROLLER);
  }

  @Test
  void explain_snapshotsUnreadable_reportsUnknownSnapshots() throws InterruptedException {
    Claim claim = ProtectedObjects.claim(true, VolumeSnapshot.CLAIM_PROTECTION);
    Explanation explanation =
        explainClaim(claim, clusterView().withReadError(Kind.SNAPSHOT, "403 forbidden"));
    assertThat(explanation.cause().code()).isEqualTo("HeldBySnapshots");
    assertThat(explanation.unreadableKinds())
        .containsExactly(
            new UnreadableKind(Kind.SNAPSHOT, "403 forbidden", "which snapshots keep the claim"));
  }

  @Test
  void explain_ownFinalizer_namesFinalizerAndRemedy() throws InterruptedException {
    Explanation explanation =
        explainClaim(ProtectedObjects.claim(true, F, VolumeService.BEING_MADE), clusterView());
    assertThat(explanation.cause().code()).isEqualTo("HeldByProvisioning");
    assertThat(explanation.cause().remedy())
        .contains("remove its finalizer " + VolumeService.BEING_MADE);
    assertThat(explanation.message())
        .isEqualTo(
            "kept by Mooring's finalizer mooring.dev/volume-being-made: whether the storage created a volume for the claim is unknown");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PROVISIONER);
    assertThat(explanation.nextStep().text())
        .isEqualTo(
            "calls the storage again, and removes finalizer mooring.dev/volume-being-made after its answer");
    assertThat(explanation.evidence().holders())
        .contains(
            new ObjectHolder(
                "finalizer",
                VolumeService.BEING_MADE,
                "Mooring's provisioner: until the storage reports whether it created a volume for the claim"));
  }

  @Test
  void explain_ownFinalizerOfProvisioner_namesProvisioner() throws InterruptedException {
    Claim claim =
        TestObjects.like(ProtectedObjects.claim(true, F, VolumeService.BEING_MADE))
            .annotation(VolumeService.BEING_MADE_BY, "example.com/disks")
            .build();
    Explanation explanation = explainClaim(claim, clusterView());
    assertThat(explanation.message())
        .endsWith(
            "whether the storage of example.com/disks created a volume for the claim is unknown");
    assertThat(explanation.nextStep().text())
        .startsWith("calls the storage of example.com/disks again");
  }

  @Test
  void explain_ownAndUnknownFinalizer_waitsForOwnerOfUnknown() throws InterruptedException {
    Explanation explanation =
        explainClaim(ProtectedObjects.claim(true, "x/y", VolumeService.BEING_MADE), clusterView());
    assertThat(explanation.cause().code()).isEqualTo("HeldByFinalizers");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
  }
}
