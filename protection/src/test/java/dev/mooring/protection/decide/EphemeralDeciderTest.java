package dev.mooring.protection.decide;

import static dev.mooring.protection.ProtectedObjects.claim;
import static dev.mooring.protection.ProtectedObjects.ephemeralPod;
import static dev.mooring.protection.ProtectedObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EphemeralDeciderTest {
  private static final EphemeralDecision NOTHING = new EphemeralDecision.Nothing();
  private static final ObjectKey DATA = ObjectKey.of("ns", "p-data");

  private static EphemeralDecision decide(Pod pod, Compat compat, Claim... claims) {
    return EphemeralDecider.decide(
        pod,
        key ->
            java.util.Arrays.stream(claims)
                .filter(c -> c.key().equals(key))
                .findFirst()
                .or(Optional::empty),
        compat);
  }

  private static Claim ownedClaim(String name, String owner) {
    return claim(name, false, Uid.of(owner), new String[] {"", "", ""});
  }

  @Test
  void decide_volumesWithoutClaim_createsFirstClaim() {
    Pod pod = ephemeralPod(false, false, Pod.Phase.PENDING, "data", "logs");
    assertThat(decide(pod, Compat.KUBERNETES))
        .isEqualTo(new EphemeralDecision.CreateClaim("data", DATA));
    assertThat(decide(pod, Compat.KUBERNETES, ownedClaim("p-data", "uid-p")))
        .isEqualTo(new EphemeralDecision.CreateClaim("logs", ObjectKey.of("ns", "p-logs")));
    assertThat(
            decide(
                pod,
                Compat.KUBERNETES,
                ownedClaim("p-data", "uid-p"),
                ownedClaim("p-logs", "uid-p")))
        .isEqualTo(NOTHING);
  }

  @Test
  void decide_podBeingDeleted_returnsNothing() {
    assertThat(decide(ephemeralPod(true, false, Pod.Phase.RUNNING, "data"), Compat.KUBERNETES))
        .isEqualTo(NOTHING);
  }

  @Test
  void decide_podWithoutEphemeralVolumes_returnsNothing() {
    assertThat(decide(pod("node", Pod.Phase.RUNNING, "c"), Compat.KUBERNETES)).isEqualTo(NOTHING);
  }

  @Test
  void decide_foreignClaim_returnsNoFurtherClaim() {
    Pod pod = ephemeralPod(false, false, Pod.Phase.PENDING, "data", "logs");
    assertThat(decide(pod, Compat.KUBERNETES, ownedClaim("p-data", "uid-other")))
        .isEqualTo(new EphemeralDecision.ForeignClaim("data", DATA));
  }

  @Test
  void decide_finishedPod_createsClaimInKubernetesOnly() {
    Pod pod = ephemeralPod(false, false, Pod.Phase.SUCCEEDED, "data");
    assertThat(decide(pod, Compat.KUBERNETES))
        .isEqualTo(new EphemeralDecision.CreateClaim("data", DATA));
    assertThat(decide(pod, Compat.MOORING)).isEqualTo(NOTHING);
  }
}
