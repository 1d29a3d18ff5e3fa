package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is read from the server before a volume is created. */
class LiveClaimVolumesTest {
  private final FaultyCluster server = new FaultyCluster();
  private final List<Order> orders = new ArrayList<>();
  private final Claim claim =
      server.cluster().put(Kind.CLAIM, ProvisionedClaims.claim(Map.of("team", "a"), ""));
  private boolean needsNodes = true;
  private final LiveClaimVolumes volumes = new LiveClaimVolumes(new Recording(), server);

  /** Storage that records its orders and never calls anything. */
  private final class Recording implements VolumeService {
    @Override
    public Set<String> provisionerNames() {
      return Set.of("ours");
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean supportsBlockVolumes() {
      return true;
    }

    @Override
    public boolean needsNodes() {
      return needsNodes;
    }

    @Override
    public Plan plan(Order order) {
      orders.add(order);
      return new Plan.NotResponsible("");
    }

    @Override
    public DestroyPlan planDestruction(Volume volume) {
      throw new UnsupportedOperationException();
    }
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
    assertThat(orders)
        .singleElement()
        .satisfies(order -> {
          assertThat(order.node().meta().labels()).containsEntry("zone", "a");
          assertThat(order.node().meta().annotations()).containsEntry("example.com/rack", "7");
          assertThat(order.claim().meta().annotations()).containsEntry("team", "a");
        });
  }

  @Test
  void plan_storageNeedsNoNode_doesNotReadIt() throws InterruptedException {
    needsNodes = false;
    plan();
    assertThat(server.requests())
        .extracting(Object::toString)
        .containsExactly("get PersistentVolumeClaim ns/c");
  }

  /** The storage may have the volume of an earlier call, and must be asked. */
  @Test
  void plan_nodeIsGone_continuesWithoutNode() throws InterruptedException {
    plan();
    assertThat(orders).singleElement().extracting(Order::node).isNull();
  }

  @Test
  void plan_nodeCannotBeRead_isUnknown() throws InterruptedException {
    server.onRead(
        request -> request.kind() == Kind.NODE ? new ReadResult.Failed<>("forbidden") : null);
    assertThat(plan()).isEqualTo(new Plan.Unknown("node n1 could not be read: forbidden"));
    assertThat(orders).isEmpty();
  }
}
