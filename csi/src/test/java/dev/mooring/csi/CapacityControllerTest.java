package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.decide.CapacityObjectCount;
import dev.mooring.csi.execute.DriverSession;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageClass;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.AvailableCapacity;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Updates of CSIStorageCapacity objects of a driver with two zones. */
class CapacityControllerTest {
  private static final String DRIVER = "d.example.com";
  private static final String NAMESPACE = "storage";
  private static final CsiConfig.Capacity EVERY_MINUTE =
      new CsiConfig.Capacity(NAMESPACE, Duration.ofMinutes(1), false, CsiConfig.CapacityOwner.NONE);

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final ClusterPorts ports = TestPorts.of(cluster, cluster, time);
  private final FakeDriver driver = new FakeDriver();
  private final DriverSession session =
      new DriverSession(DRIVER, driver, time, new OperationStats());
  private final OptionalControllers controllers =
      new OptionalControllers(
          CsiConfig.DEFAULTS,
          session,
          cluster.informers(),
          ports,
          new DeletionBreaker(0, Duration.ofMinutes(10), time));
  private final StepwiseController steps =
      new StepwiseController(
          controllers.capacitySpec(
              EVERY_MINUTE,
              controllers.capacityHandlers(
                  EVERY_MINUTE, new DriverNodes(DRIVER, cluster.informers(), Optional.empty()))),
          time);
  private final Map<String, Integer> calls = new HashMap<>();
  private long availableBytes;

  @BeforeEach
  void startDriver() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    session.start();
    readyLatch.await();
    for (String zone : List.of("z1", "z2")) {
      cluster.put(Kind.NODE, TestObjects.node(zone).label("zone", zone).build());
      CsiNode.Driver registration = new CsiNode.Driver(DRIVER, zone, List.of("zone"), 0);
      cluster.put(Kind.CSI_NODE, TestObjects.csiNode(zone).drivers(List.of(registration)).build());
    }
    cluster.put(
        Kind.STORAGE_CLASS,
        TestObjects.storageClass("fast")
            .provisioner(DRIVER)
            .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
            .build());
  }

  @AfterEach
  void stopDriver() throws InterruptedException {
    session.stop();
  }

  private void pass(Duration duration) throws InterruptedException {
    for (long second = 0; second < duration.toSeconds(); second++) {
      time.advance(Duration.ofSeconds(1));
      steps.settle();
    }
  }

  private List<Quantity> publishedCapacities(String zone) {
    return cluster.list(Kind.STORAGE_CAPACITY, NAMESPACE).toOptional().orElseThrow().stream()
        .filter(object ->
            object.nodeTopology() != null
                && object.nodeTopology().matchLabels().equals(Map.of("zone", zone)))
        .map(object -> Objects.requireNonNull(object.capacity()))
        .toList();
  }

  @Test
  void capacity_oneZoneRefused_allZonesAreCalledOnceAtEachInterval() throws InterruptedException {
    driver.getCapacity =
        segment -> {
          String zone = segment.getOrDefault("zone", "");
          calls.merge(zone, 1, Integer::sum);
          return zone.equals("z2")
              ? new DriverReply.Refused<>(StatusCode.INTERNAL, "no answer of the storage")
              : new DriverReply.Ok<>(new AvailableCapacity(availableBytes, -1));
        };
    steps.start();
    steps.settle();
    pass(Duration.ofMinutes(2)); // until the back-off exceeds the interval
    assertThat(calls.getOrDefault("z1", 0)).as("no part in the retries").isLessThan(5);
    calls.clear();
    for (int minute = 1; minute <= 20; minute++) {
      availableBytes = minute;
      pass(Duration.ofMinutes(1));
      assertThat(publishedCapacities("z1")).containsExactly(Quantity.of(Integer.toString(minute)));
      assertThat(calls).isEqualTo(Map.of("z1", minute, "z2", minute));
    }
    assertThat(publishedCapacities("z2")).isEmpty();
    assertThat(controllers.countObjects()).isEqualTo(new CapacityObjectCount(2, 1, 0));
  }

  /** A new driver may need some seconds. */
  @Test
  void capacity_refusedAtFirst_isPublishedAfterBackOff() throws InterruptedException {
    driver.getCapacity =
        segment -> {
          int count = calls.merge(segment.getOrDefault("zone", ""), 1, Integer::sum);
          return count <= 3
              ? new DriverReply.Refused<>(StatusCode.ABORTED, "starts")
              : new DriverReply.Ok<>(new AvailableCapacity(7, -1));
        };
    steps.start();
    steps.settle();
    pass(Duration.ofSeconds(10));
    assertThat(publishedCapacities("z1")).containsExactly(Quantity.of("7"));
    assertThat(publishedCapacities("z2")).containsExactly(Quantity.of("7"));
  }

  /** An object with an old value is better than none: the scheduler would find no node. */
  @Test
  void capacity_refusedLater_objectStays() throws InterruptedException {
    driver.getCapacity = segment -> new DriverReply.Ok<>(new AvailableCapacity(7, -1));
    steps.start();
    steps.settle();
    driver.getCapacity = segment -> new DriverReply.Refused<>(StatusCode.UNAVAILABLE, "restarts");
    pass(Duration.ofMinutes(3));
    assertThat(publishedCapacities("z2")).containsExactly(Quantity.of("7"));
    assertThat(controllers.countObjects()).isEqualTo(new CapacityObjectCount(2, 2, 0));
  }
}
