package dev.mooring.provisioner.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletedUnboundClaimsTest {
  private static final Uid U = Uid.of("u");

  private final SimTime time = new SimTime();
  private final DeletedUnboundClaims leaving = new DeletedUnboundClaims(time);

  @Test
  void deletedClaim_withoutVolume_hadNone() {
    leaving.recordClaim(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(leaving.hadNoVolume(U)).isFalse();
    leaving.recordClaim(ProvisionedClaims.deleted(false));
    assertThat(leaving.hadNoVolume(U)).isTrue();
    leaving.recordDeletion(ProvisionedClaims.deleted(false));
    assertThat(leaving.hadNoVolume(U)).isTrue();
  }

  /** The claim was deleted between two events, before a late binding. */
  @Test
  void goneClaim_withoutVolume_hadNone() {
    leaving.recordDeletion(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(leaving.hadNoVolume(U)).isTrue();
  }

  @Test
  void goneClaim_withVolume_hadOne() {
    leaving.recordDeletion(ProvisionedClaims.boundTo("disk"));
    assertThat(leaving.hadNoVolume(U)).isFalse();
  }

  @Test
  void goneClaim_afterAnHour_isForgotten() {
    leaving.recordDeletion(ProvisionedClaims.claim(Map.of(), ""));
    time.advance(Duration.ofMinutes(61));
    leaving.recordDeletion(ProvisionedClaims.boundTo("disk"));
    assertThat(leaving.hadNoVolume(U)).isFalse();
  }
}
