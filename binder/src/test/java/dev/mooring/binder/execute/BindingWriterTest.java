package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the order of the writes, and that the write to the claim also removes the being-made
 * finalizer.
 */
class BindingWriterTest {
  private static final Claim CLAIM =
      VolumesAndClaims.claim("1Gi", c -> c.finalizers("before", VolumeService.BEING_MADE, "after"));
  private static final String CLAIM_NAME = Kind.CLAIM + " " + CLAIM.key();

  /** Accepts every write and changes nothing. */
  private final FaultyCluster conflictingCluster =
      new FaultyCluster().onWrite(request -> new WriteResult.Written<>(CLAIM));

  private static Volume volume(String name, boolean provisioned) {
    return VolumesAndClaims.volume(
        name,
        "1Gi",
        v -> {
          v.claimRef(CLAIM).phase(VolumePhase.BOUND);
          return provisioned ? v.annotation(BinderMarks.PROVISIONED_BY, "d") : v;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "pvc-u, true, true, true",
    "pvc-u, true, false, false", // another process made the volume, and this one may still be
    // asking
    "pvc-u, false, true, false",
    "pvc-other, true, true, false"
  })
  void write_volume_removesFinalizerOnlyIfItWasProvisionedForTheClaim(
      String name, boolean provisioned, boolean saved, boolean ends) throws InterruptedException {
    SavedVolumes savedVolumes = new SavedVolumes();
    if (saved) {
      savedVolumes.add(CLAIM.meta().uid());
    }
    BindingWriter binding = new BindingWriter(conflictingCluster, reporter(), savedVolumes);
    assertThat(binding.write(CLAIM, volume(name, provisioned))).isEqualTo(Outcome.SETTLED);
    assertThat(conflictingCluster.requests())
        .extracting(FaultyCluster.Request::toString)
        .containsExactly("patch " + CLAIM_NAME, "patch status " + CLAIM_NAME);
    String patch = conflictingCluster.requests().getFirst().document().toString();
    assertThat(patch.contains("finalizers=[before, after]")).isEqualTo(ends);
    assertThat(patch.contains("finalizers")).isEqualTo(ends);
  }

  @ParameterizedTest
  @CsvSource({
    "pvc-u, true, '', true",
    "pvc-other, true, '', false",
    "pvc-u, false, '', false",
    "pvc-u, true, others, false"
  })
  void write_volume_namesPluginOnlyIfItWasProvisionedForUnmarkedClaim(
      String name, boolean provisioned, String marked, boolean isNamed)
      throws InterruptedException {
    Claim claim =
        VolumesAndClaims.claim(
            "1Gi",
            c -> marked.isEmpty() ? c : c.annotation(BinderMarks.STORAGE_PROVISIONER, marked));
    BindingWriter binding = new BindingWriter(conflictingCluster, reporter(), new SavedVolumes());
    assertThat(binding.write(claim, volume(name, provisioned))).isEqualTo(Outcome.SETTLED);
    String patch = conflictingCluster.requests().getFirst().document().toString();
    assertThat(patch.contains(BinderMarks.STORAGE_PROVISIONER + "=d")).isEqualTo(isNamed);
    assertThat(patch.contains(BinderMarks.BETA_STORAGE_PROVISIONER + "=d")).isEqualTo(isNamed);
  }

  /** A volume that was never Bound was therefore never used. */
  @Test
  void write_freeVolume_claimNamesItBeforeItIsBound() throws InterruptedException {
    FaultyCluster server = new FaultyCluster();
    Claim claim = server.cluster().put(Kind.CLAIM, CLAIM);
    Volume free = VolumesAndClaims.volume("v", "1Gi", v -> v.phase(VolumePhase.AVAILABLE));
    BindingWriter binding = new BindingWriter(server, reporter(), new SavedVolumes());
    assertThat(binding.write(claim, server.cluster().put(Kind.VOLUME, free)))
        .isEqualTo(Outcome.SETTLED);
    String volumeName = Kind.VOLUME + " " + free.key();
    assertThat(server.requests())
        .extracting(FaultyCluster.Request::toString)
        .containsExactly(
            "patch " + volumeName,
            "patch " + CLAIM_NAME,
            "patch status " + volumeName,
            "patch status " + CLAIM_NAME);
  }

  private static BinderReporter reporter() {
    EventMemory memory = new EventMemory(new SimTime(), true);
    return new BinderReporter(event -> {}, memory, EventStyle.AS_KUBERNETES, false);
  }
}
