package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events on claims that wait for a provisioner without a controller. */
class UnservedClaimsTest {
  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final ClusterPorts ports = TestPorts.of(cluster, cluster, time);
  private final ProvisionControllers controllers =
      new ProvisionControllers(
          cluster.informers(),
          ports,
          new SharedState(
              TestGuards.of(new DeletionBreaker(1000, Duration.ofMinutes(10), time), time),
              new SavedVolumes(),
              new ProtectionHandover()));
  private final StepwiseController steps =
      new StepwiseController(
          new UnservedClaims(cluster.informers(), ports, controllers).spec(), time);

  private static Map<String, String> annotations(String startedBy, String provisioner) {
    return Map.of(
        VolumeService.BEING_MADE_BY,
        startedBy,
        "volume.kubernetes.io/storage-provisioner",
        provisioner);
  }

  private void startController(Claim claim) throws InterruptedException {
    controllers.createController(
        new ProvisionedStorage(
            "ours",
            new FakeStorage(),
            ProvisionConfig.DEFAULTS,
            wake -> {},
            wake -> {},
            Optional.empty(),
            Optional.empty()));
    cluster.put(Kind.CLAIM, claim);
    steps.start();
    steps.settle();
  }

  private List<ClusterEvent> listEventsAfter(Duration waiting) throws InterruptedException {
    time.advance(waiting);
    steps.settle();
    return cluster.events();
  }

  @Test
  void deletedClaim_ofUnservedProvisioner_getsOneEventWithRemedy() throws InterruptedException {
    startController(ProvisionedClaims.deleted(true, annotations("gone", "ours")));
    assertThat(listEventsAfter(UnservedClaims.PATIENCE.minusSeconds(1))).isEmpty();
    assertThat(listEventsAfter(Duration.ofSeconds(1)))
        .singleElement()
        .satisfies(event ->
            assertThat(event.note())
                .startsWith("provisioner gone may have created a volume")
                .contains("remove its finalizer " + VolumeService.BEING_MADE));
    assertThat(listEventsAfter(Duration.ofHours(1))).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "served,                          true,  ours,      gone, 0",
    "one of two is served,            true,  'gone,ours', ours, 1",
    "earlier version: names unserved, true,  '',        gone, 1",
    "earlier version: names served,   true,  '',        ours, 0",
    "no finalizer,                    false, gone,      gone, 0",
  })
  void deletedClaim_getsEventIfAnOwnerIsUnserved(
      String row, boolean hasNote, String startedBy, String provisioner, int events)
      throws InterruptedException {
    startController(ProvisionedClaims.deleted(hasNote, annotations(startedBy, provisioner)));
    assertThat(listEventsAfter(UnservedClaims.PATIENCE)).as(row).hasSize(events);
  }

  @Test
  void claim_notBeingDeleted_getsNoEvent() throws InterruptedException {
    startController(ProvisionedClaims.claimWithNote(annotations("gone", "gone")));
    assertThat(listEventsAfter(UnservedClaims.PATIENCE)).isEmpty();
  }
}
