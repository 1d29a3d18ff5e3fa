package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.TestObjects;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which objects are read from the API server before a volume is created. */
class LiveClaimVolumesTest {
  private final FaultyCluster server = new FaultyCluster();
  private final Claim claim =
      server.cluster().put(Kind.CLAIM, ProvisionedClaims.claim(Map.of("team", "a"), ""));
  private final FakeStorage storage = new FakeStorage();
  private final LiveClaimVolumes volumes = new LiveClaimVolumes(storage, server);

  @BeforeEach
  void requireNodes() {
    storage.needsNodes = true;
  }

  private Plan plan() throws InterruptedException {
    return volumes.plan(
        new Order("pvc-u", claim, ProvisionedClaims.storageClass("ours", true), "n1"));
  }

  @Test
  void plan_storageNeedsNode_getsItsLabelsAndAnnotations() throws InterruptedException {
    server
        .cluster()
        .put(
            Kind.NODE,
            TestObjects.node("n1")
                .labels(Map.of("zone", "a"))
                .annotations(Map.of("example.com/rack", "7"))
                .build());
    plan();
    assertThat(storage.orders)
        .singleElement()
        .satisfies(order -> {
          assertThat(order.node().meta().labels()).containsEntry("zone", "a");
          assertThat(order.node().meta().annotations()).containsEntry("example.com/rack", "7");
          assertThat(order.claim().meta().annotations()).containsEntry("team", "a");
        });
  }

  @Test
  void plan_storageNeedsNoNode_doesNotReadIt() throws InterruptedException {
    storage.needsNodes = false;
    plan();
    assertThat(server.requests())
        .extracting(Object::toString)
        .containsExactly("get PersistentVolumeClaim ns/c");
  }

  /** The storage may have the volume of an earlier call, and must be asked. */
  @Test
  void plan_nodeIsGone_continuesWithoutNode() throws InterruptedException {
    plan();
    assertThat(storage.orders).singleElement().extracting(Order::node).isNull();
  }

  @Test
  void plan_nodeCannotBeRead_isUnknown() throws InterruptedException {
    server.onRead(
        request -> request.kind() == Kind.NODE ? new ReadResult.Failed<>("forbidden") : null);
    assertThat(plan()).isEqualTo(new Plan.Unknown("node n1 could not be read: forbidden"));
    assertThat(storage.orders).isEmpty();
  }
}
