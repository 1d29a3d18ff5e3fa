package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a claim goes only after its manifest is saved. */
class SavedManifestTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final SharedInformers cache = server.cluster().informers();
  private final ClusterPorts ports = TestPorts.of(server, server.cluster(), time);
  private Claim claim = TestObjects.claim("shop", "data").build();

  private StepwiseController start(Duration delay, ReclaimPolicy policy)
      throws InterruptedException {
    StepwiseController steps =
        new StepwiseController(
            new ClaimProtection(
                    cache,
                    ports,
                    Compat.MOORING,
                    new ProtectionConfig(UnusedCondition.OFF, 1),
                    new DeletionDelay(new DeletionDelay.Config(delay, 0), cache, ports))
                .spec(),
            time);
    steps.startWithoutFirstPasses();
    Volume volume =
        TestObjects.volume("v")
            .claimRef(claim.key(), "u")
            .reclaimPolicy(policy)
            .phase(VolumePhase.BOUND)
            .build();
    server.cluster().put(Kind.VOLUME, volume);
    claim =
        server
            .cluster()
            .put(
                Kind.CLAIM,
                TestObjects.claim(claim.key())
                    .uid("u")
                    .label("app", "db")
                    .boundTo(volume)
                    .deleting()
                    .finalizers(FinalizerDecider.CLAIM_FINALIZER, "other")
                    .build());
    return steps;
  }

  private void settle(StepwiseController steps) throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      time.advance(Duration.ofSeconds(1));
      steps.settle();
    }
  }

  private List<String> finalizers() {
    return server.cluster().get(Kind.CLAIM, claim.key()).meta().finalizers();
  }

  private String manifest() {
    return server
        .cluster()
        .get(Kind.VOLUME, TestObjects.volume("v").build().key())
        .meta()
        .annotation(Condemnation.MANIFEST);
  }

  @Test
  void sync_deletedClaimOfDelayedVolume_savesManifestBeforeFinalizerGoes()
      throws InterruptedException {
    StepwiseController steps = start(Duration.ofHours(1), ReclaimPolicy.DELETE);
    server.onWrite(request ->
        request.kind().equals(Kind.VOLUME) ? new WriteResult.Unreachable<>("no answer") : null);
    settle(steps);
    assertThat(finalizers()).as("the manifest is not saved").hasSize(2);
    server.onWrite(request -> null);
    settle(steps);
    assertThat(finalizers()).containsExactly("other");
    assertThat(manifest()).contains("\"app\":\"db\"", "\"uid\":\"u\"", "\"volumeName\":\"v\"");
  }

  @Test
  void sync_manifestRejected_finalizerGoes() throws InterruptedException {
    StepwiseController steps = start(Duration.ofHours(1), ReclaimPolicy.DELETE);
    server.onWrite(request ->
        request.kind().equals(Kind.VOLUME)
            ? new WriteResult.Rejected<>(422, "annotations are too long")
            : null);
    settle(steps);
    assertThat(finalizers()).containsExactly("other");
  }

  @Test
  void sync_volumeIsNotDelayed_savesNothing() throws InterruptedException {
    settle(start(Duration.ZERO, ReclaimPolicy.DELETE));
    assertThat(finalizers()).containsExactly("other");
    assertThat(manifest()).isEmpty();
  }

  @Test
  void sync_retainedVolume_savesNothing() throws InterruptedException {
    settle(start(Duration.ofHours(1), ReclaimPolicy.RETAIN));
    assertThat(finalizers()).containsExactly("other");
    assertThat(manifest()).isEmpty();
  }
}
