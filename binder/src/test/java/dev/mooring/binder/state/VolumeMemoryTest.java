package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.VolumeView.VolumeHistory;
import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.model.Volume;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.Test;

class VolumeMemoryTest {
  private final VolumeMemory memory = new VolumeMemory();

  private static Volume volumeOf(String claim) {
    return VolumesAndClaims.volume(
        "v", "1Gi", v -> v.version(1).claimRef(VolumesAndClaims.CLAIM, claim));
  }

  private void deleteClaim(String claim, String volume) {
    memory.recordDeletedClaim(VolumesAndClaims.claim("1Gi", c -> c.uid(claim).volumeName(volume)));
  }

  @Test
  void historyOf_volumeOfDeletedClaim_dependsOnClaimsVolume() {
    deleteClaim("had", "v");
    deleteClaim("had-none", "");
    assertThat(memory.historyOf(volumeOf("had"))).isEqualTo(VolumeHistory.UNKNOWN);
    assertThat(memory.historyOf(volumeOf("had-none"))).isEqualTo(new VolumeHistory(true, false));
    assertThat(memory.historyOf(TestObjects.like(volumeOf("x")).noClaimRef().build()))
        .isEqualTo(VolumeHistory.UNKNOWN);
  }

  @Test
  void historyOf_manyClaims_forgetsTheOldest() {
    for (int i = 0; i <= 10_000; i++) {
      deleteClaim("claim-" + i, "");
    }
    assertThat(memory.historyOf(volumeOf("claim-0"))).isEqualTo(VolumeHistory.UNKNOWN);
    assertThat(memory.historyOf(volumeOf("claim-1"))).isEqualTo(new VolumeHistory(true, false));
  }

  @Test
  void historyOf_keptVolume_onlyInTheVersionThatWasKept() {
    Volume keptVolume = volumeOf("u");
    memory.recordKept(keptVolume);
    assertThat(memory.historyOf(keptVolume)).isEqualTo(new VolumeHistory(false, true));
    assertThat(memory.historyOf(TestObjects.like(keptVolume).version(2).build()))
        .isEqualTo(VolumeHistory.UNKNOWN);
    memory.forget(keptVolume.key());
    assertThat(memory.historyOf(keptVolume)).isEqualTo(VolumeHistory.UNKNOWN);
  }
}
