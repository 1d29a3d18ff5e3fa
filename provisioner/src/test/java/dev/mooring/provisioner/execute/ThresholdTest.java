package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.state.ClaimMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Failed attempts end after two retries. */
class ThresholdTest extends ClaimWorkFixture {
  private static final String GIVEN_UP = "ProvisioningFailed: because; given up until it changes";

  private final ClaimWork limited = createWork(new ClaimMemory(Duration.ofMinutes(5), 2, time));

  private Outcome attempt(ProvisionResult result) throws InterruptedException {
    storage.requests.clear();
    storage.results.add(result);
    return limited.provision(
        server.get(Kind.CLAIM, "ns", "c"), ProvisionedClaims.storageClass("ours", false));
  }

  private void putClaim() {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), ""));
  }

  @Test
  void provision_thirdFailure_isRetriedOnceAfterEachChange() throws InterruptedException {
    putClaim();
    for (int i = 0; i < 2; i++) {
      assertThat(attempt(failure(State.FINISHED))).isInstanceOf(Outcome.Retry.class);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(attempt(failure(State.FINISHED))).isInstanceOf(Outcome.GiveUp.class);
      assertThat(storage.requests).contains("make pvc-u null").last().isEqualTo(GIVEN_UP);
    }
  }

  @Test
  void provision_infeasibleRequest_isNotRetried() throws InterruptedException {
    putClaim();
    for (int i = 0; i < 2; i++) {
      assertThat(attempt(new ProvisionResult.Failed(State.FINISHED, true, "because")))
          .isInstanceOf(Outcome.CheckAgain.class);
      time.advance(Duration.ofMinutes(6));
    }
    assertThat(attempt(new ProvisionResult.Failed(State.FINISHED, true, "because")))
        .isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests).last().isEqualTo(GIVEN_UP);
  }

  /** The storage may have a volume, which nothing else would find. */
  @Test
  void provision_callsInDoubt_areRepeatedWithoutLimit() throws InterruptedException {
    putClaim();
    for (int i = 0; i < 20; i++) {
      assertThat(attempt(failure(State.BACKGROUND))).isInstanceOf(Outcome.Retry.class);
    }
  }

  @Test
  void provision_claimForgotten_countsAgain() throws InterruptedException {
    putClaim();
    for (int i = 0; i < 3; i++) {
      attempt(failure(State.FINISHED));
    }
    limited.forget(U);
    putClaim();
    assertThat(attempt(failure(State.FINISHED))).isInstanceOf(Outcome.Retry.class);
  }
}
