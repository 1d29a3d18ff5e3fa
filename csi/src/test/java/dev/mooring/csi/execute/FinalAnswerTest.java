package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.CsiConnection.Topology;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class FinalAnswerTest {
  private static final String DRIVER = "d.example.com";

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session =
      new DriverSession(DRIVER, driver, new SimTime(), new OperationStats());
  private final List<Optional<Topology>> topologies = new ArrayList<>();
  private final CsiVolumes volumes =
      VolumesFixture.volumes(
          session,
          new DriverNodes(DRIVER, cluster.informers(), Optional.empty()),
          cluster,
          cluster,
          new BlockedClaims());

  @BeforeEach
  void startDriver() {
    for (String node : List.of("n1", "n2")) {
      cluster.put(
          Kind.CSI_NODE,
          TestObjects.csiNode(node)
              .drivers(List.of(new CsiNode.Driver(DRIVER, "id-" + node, List.of("zone"), -1)))
              .build());
      cluster.put(Kind.NODE, TestObjects.node(node).label("zone", "z-" + node).build());
    }
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    session.start();
    TestWait.until("the driver is known", () -> session.identity().isPresent());
  }

  @AfterEach
  void stopDriver() throws InterruptedException {
    session.stop();
  }

  private Plan plan(boolean deleted) throws InterruptedException {
    Claim claim =
        TestObjects.claim("ns", "c")
            .uid("u")
            .storageClass("fast")
            .request("1Gi")
            .accessModes("ReadWriteOnce")
            .deleted(deleted ? 2 : 0)
            .build();
    cluster.put(Kind.CLAIM, claim);
    return volumes.plan(
        new Order(
            "pvc-u", claim, TestObjects.storageClass("fast").provisioner(DRIVER).build(), "n1"));
  }

  private void call(StatusCode code) throws InterruptedException {
    driver.create =
        request -> {
          topologies.add(Optional.ofNullable(request.topology()));
          return new DriverReply.Refused<>(code, "no");
        };
    ProvisionResult _ = ((Plan.Ready) plan(false)).call().run();
  }

  private void removeNode() {
    cluster.remove(Kind.CSI_NODE, ObjectKey.cluster("n1"));
    cluster.remove(Kind.NODE, ObjectKey.cluster("n1"));
  }

  @ParameterizedTest
  @EnumSource(
      value = StatusCode.class,
      mode = Mode.EXCLUDE,
      names = {"OK", "CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "ABORTED"})
  void nodeGone_afterFinalAnswer_reschedulesTheClaim(StatusCode code) throws InterruptedException {
    call(StatusCode.DEADLINE_EXCEEDED);
    removeNode();
    call(code);
    assertThat(topologies.get(1))
        .as("unchanged while a call may be running")
        .isEqualTo(topologies.get(0));
    assertThat(plan(false))
        .isInstanceOfSatisfying(
            Plan.Blocked.class,
            not -> assertThat(not.reason().state()).isEqualTo(State.RESCHEDULE));
  }

  @Test
  void nodeGone_unknownOutcome_repeatsTopology() throws InterruptedException {
    call(StatusCode.DEADLINE_EXCEEDED);
    removeNode();
    call(StatusCode.UNAVAILABLE);
    call(StatusCode.ABORTED);
    assertThat(topologies).hasSize(3).containsOnly(topologies.getFirst());
    assertThat(topologies.getFirst()).isPresent();
  }

  /** An earlier call may have created the volume: the name finds it. */
  @Test
  void nodeGone_claimDeleted_callsDriver() throws InterruptedException {
    removeNode();
    assertThat(plan(true)).isInstanceOf(Plan.Ready.class);
  }
}
