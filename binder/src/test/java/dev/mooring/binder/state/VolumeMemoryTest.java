package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.VolumeView.VolumeHistory;
import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.model.Volume;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.Test;

class VolumeMemoryTest {
  private final VolumeMemory memory = new VolumeMemory();

  private static Volume of(String claim) {
    return VolumesAndClaims.volume(
        "v", "1Gi", v -> v.version(1).claimRef(VolumesAndClaims.CLAIM, claim));
  }

  private void gone(String claim, String volume) {
    memory.claimGone(VolumesAndClaims.claim("1Gi", c -> c.uid(claim).volumeName(volume)));
  }

  @Test
  void of_volumeOfADeletedClaim_knowsWhetherItHadAVolume() {
    gone("had", "v");
    gone("had-none", "");
    assertThat(memory.of(of("had"))).isEqualTo(VolumeHistory.UNKNOWN);
    assertThat(memory.of(of("had-none"))).isEqualTo(new VolumeHistory(true, false));
    assertThat(memory.of(TestObjects.like(of("x")).noClaimRef().build()))
        .isEqualTo(VolumeHistory.UNKNOWN);
  }

  @Test
  void of_manyClaims_forgetsTheOldest() {
    for (int i = 0; i <= 10_000; i++) {
      gone("claim-" + i, "");
    }
    assertThat(memory.of(of("claim-0"))).isEqualTo(VolumeHistory.UNKNOWN);
    assertThat(memory.of(of("claim-1"))).isEqualTo(new VolumeHistory(true, false));
  }

  @Test
  void of_keptVolume_onlyInTheVersionThatWasKept() {
    Volume kept = of("u");
    memory.kept(kept);
    assertThat(memory.of(kept)).isEqualTo(new VolumeHistory(false, true));
    assertThat(memory.of(TestObjects.like(kept).version(2).build()))
        .isEqualTo(VolumeHistory.UNKNOWN);
    memory.forget(kept.key());
    assertThat(memory.of(kept)).isEqualTo(VolumeHistory.UNKNOWN);
  }
}
