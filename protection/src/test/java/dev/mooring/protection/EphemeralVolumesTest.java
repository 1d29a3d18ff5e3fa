package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import org.junit.jupiter.api.Test;

class EphemeralVolumesTest {
  private static final ObjectKey SECOND_CLAIM = ObjectKey.of("ns", "p-b");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final StepwiseController steps =
      new StepwiseController(
          new EphemeralVolumes(
                  cluster.informers(),
                  TestPorts.of(cluster, cluster, time),
                  Compat.MOORING,
                  new ProtectionConfig(UnusedCondition.OFF, 1))
              .spec(),
          time);

  private boolean hasSecondClaim() {
    return cluster.read(Kind.CLAIM, SECOND_CLAIM).toOptional().isPresent();
  }

  /** A claim that was restored without its owner gets the owner back. */
  @Test
  void sync_claimOfAnotherGetsThePodAsOwner_createsTheNextClaim() throws InterruptedException {
    Claim restored = cluster.put(Kind.CLAIM, TestObjects.claim("ns", "p-a").build());
    Pod pod =
        cluster.put(
            Kind.POD, ProtectedObjects.ephemeralPod(false, false, Pod.Phase.PENDING, "a", "b"));
    steps.start();
    steps.settle();
    assertThat(hasSecondClaim()).as("the first claim is another's").isFalse();
    cluster.put(Kind.CLAIM, TestObjects.like(restored).controller(pod.meta().uid()).build());
    steps.settle();
    assertThat(hasSecondClaim()).isTrue();
  }
}
