package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.provisioner.state.ElectionDelays;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Election of the node that provisions if the scheduler selects none. */
class NodeElectionTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final Claim claim =
      server.cluster().put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), ""));
  private NodeStorage.Fit fit = NodeStorage.Fit.ENOUGH;
  private final NodeRules.Instance instance =
      new NodeRules.Instance("n1", true, Duration.ofSeconds(20), Duration.ofSeconds(60));
  private final NodeElection election =
      new NodeElection(
          instance,
          new NodeStorage() {
            @Override
            public Fit checkFit(Order order) {
              return fit;
            }

            @Override
            public Location locate(Volume volume) {
              throw new AssertionError();
            }
          },
          server,
          new ElectionDelays(instance, () -> 0, time));

  private Outcome compete() throws InterruptedException {
    return election.compete(
        new Order("pvc-u", claim, ProvisionedClaims.storageClass("ours", false), "n1"));
  }

  /** Returns the selected node of the claim, or "". */
  private String selected() {
    return server
        .cluster()
        .get(Kind.CLAIM, claim.key())
        .meta()
        .annotation("volume.kubernetes.io/selected-node");
  }

  private static Outcome competeAfter(int seconds) {
    return new Outcome.CheckAgain(Duration.ofSeconds(seconds));
  }

  @Test
  void election_repeatedReconciles_waitForDelay() throws InterruptedException {
    assertThat(compete()).isEqualTo(competeAfter(20));
    time.advance(Duration.ofSeconds(5));
    assertThat(compete()).isEqualTo(competeAfter(15));
    assertThat(server.writes()).isEmpty();
    time.advance(Duration.ofSeconds(15));
    assertThat(compete()).isEqualTo(Outcome.SETTLED);
    assertThat(server.writes()).hasSize(1);
    assertThat(selected()).isEqualTo("n1");
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeStorage.Fit.class,
      names = {"NOT_ENOUGH", "NOT_ALLOWED", "NOT_NOW"})
  void election_nodeWithoutCapacity_retriesLater(NodeStorage.Fit lackingFit)
      throws InterruptedException {
    fit = lackingFit;
    compete();
    time.advance(Duration.ofSeconds(20));
    assertThat(compete()).isEqualTo(competeAfter(40));
    assertThat(server.writes()).isEmpty();
    fit = NodeStorage.Fit.UNKNOWN; // the driver reports why provisioning fails
    time.advance(Duration.ofSeconds(40));
    assertThat(compete()).isEqualTo(Outcome.SETTLED);
    assertThat(server.writes()).hasSize(1);
    assertThat(selected()).isEqualTo("n1");
  }

  @Test
  void election_capacityUnanswered_retriesSoon() throws InterruptedException {
    fit = NodeStorage.Fit.UNANSWERED;
    compete();
    time.advance(Duration.ofSeconds(20));
    assertThat(compete()).isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.writes()).isEmpty();
    fit = NodeStorage.Fit.ENOUGH;
    assertThat(compete()).isEqualTo(Outcome.SETTLED);
    assertThat(server.writes()).hasSize(1);
    assertThat(selected()).isEqualTo("n1");
  }

  @Test
  void election_lost_retriesLater() throws InterruptedException {
    compete();
    time.advance(Duration.ofSeconds(20));
    server.nextWrites(new WriteResult.Conflict<>("another node was first"));
    assertThat(compete()).isEqualTo(competeAfter(40));
    election.forget(claim.meta().uid());
    assertThat(compete()).as("restarts the delay").isEqualTo(competeAfter(20));
  }
}
