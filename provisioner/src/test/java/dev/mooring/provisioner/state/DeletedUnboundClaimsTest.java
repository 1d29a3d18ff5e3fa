package dev.mooring.provisioner.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeavingClaimsTest {
  private static final Uid U = Uid.of("u");

  private final SimTime time = new SimTime();
  private final LeavingClaims leaving = new LeavingClaims(time);

  @Test
  void deletedClaim_withoutVolume_hadNone() {
    leaving.saw(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(leaving.hadNone(U)).isFalse();
    leaving.saw(ProvisionedClaims.deleted(false));
    assertThat(leaving.hadNone(U)).isTrue();
    leaving.sawGone(ProvisionedClaims.deleted(false));
    assertThat(leaving.hadNone(U)).isTrue();
  }

  /** The claim was deleted between two events, before a late binding. */
  @Test
  void goneClaim_withoutVolume_hadNone() {
    leaving.sawGone(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(leaving.hadNone(U)).isTrue();
  }

  @Test
  void goneClaim_withVolume_hadOne() {
    leaving.sawGone(ProvisionedClaims.boundTo("disk"));
    assertThat(leaving.hadNone(U)).isFalse();
  }

  @Test
  void goneClaim_afterAnHour_isForgotten() {
    leaving.sawGone(ProvisionedClaims.claim(Map.of(), ""));
    time.advance(Duration.ofMinutes(61));
    leaving.sawGone(ProvisionedClaims.boundTo("disk"));
    assertThat(leaving.hadNone(U)).isFalse();
  }
}
