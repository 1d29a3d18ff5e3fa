package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs many randomized claim lifecycles with distinct seeds. Each claim is created, used by several
 * pods, expanded, modified and deleted at any moment. Every driver call may fail in any way, and
 * the test kills and restarts both the controller and the driver. No volume is provisioned or
 * attached twice, and no volume remains.
 *
 * <p>{@code -Dmooring.csi.kill.lives=1000} sets the number of lifecycles, {@code
 * -Dmooring.csi.seed=7} the seed.
 */
class CsiKillTest {
  private static final int LIFECYCLES = Integer.getInteger("mooring.csi.kill.lives", 20);
  private static final long SEED = Long.getLong("mooring.csi.seed", 1);
  private static final int CONCURRENT_LIFECYCLES = 40;
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.MODIFY_VOLUME,
          DriverCapability.LIST_VOLUMES,
          DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);

  @TempDir private Path folder;
  private final Random random = new Random(SEED);

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void lifecycles_killedProcesses_leaveNoVolumes() throws Exception {
    try (CsiCluster cluster = new CsiCluster(folder, 4, false)) {
      cluster.createAttributesClass("gold", "9000");
      Settings faulty = ALL_CAPABILITIES.with(method -> CsiCluster.randomFault(method, random));
      int kills = 0;
      int calls = 0;
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> lifecycles = startLifecycles(cluster, executor);
        while (!lifecycles.stream().allMatch(Future::isDone)) {
          try (JavaProcess controller = startController(cluster)) {
            controller.awaitLine(line -> line.contains(" against http"));
            for (int i = 0; i < 2; i++) {
              try (ReferenceDriver driver = cluster.startDriver(faulty)) {
                awaitLifecycles(lifecycles, 2000 + random.nextInt(4000));
                calls += driver.calls().size();
              }
              awaitLifecycles(lifecycles, 1 + random.nextInt(300)); // while the driver is down
            }
            assertThat(controller.output()).noneMatch(line -> line.contains("failed with a bug"));
            kills++;
          }
        }
        for (Future<?> lifecycle : lifecycles) {
          lifecycle.get();
        }
      }
      try (ReferenceDriver driver = cluster.startDriver(faulty);
          JavaProcess controller = startController(cluster)) {
        awaitEmptyCluster(cluster);
        assertThat(driver.calls()).isNotNull();
        assertThat(controller.output()).noneMatch(line -> line.contains("failed with a bug"));
      }
      assertThat(cluster.store().offences()).isEmpty();
      System.out.printf(
          "%d lifecycles, %d volumes created, %d calls, controller killed %d times%n",
          LIFECYCLES, cluster.store().countCreated(), calls, kills);
    }
  }

  private static void awaitEmptyCluster(CsiCluster cluster) throws IOException {
    try {
      TestWait.until(
          "no volume remains",
          () ->
              cluster.isEmpty(KindCatalogue.CLAIMS)
                  && cluster.isEmpty(KindCatalogue.VOLUMES)
                  && cluster.isEmpty(KindCatalogue.ATTACHMENTS)
                  && cluster.store().listVolumes().isEmpty());
    } catch (AssertionError leftovers) {
      throw new AssertionError(leftovers.getMessage() + cluster.describeLeftovers(), leftovers);
    }
  }

  private List<Future<?>> startLifecycles(CsiCluster cluster, ExecutorService executor) {
    Semaphore permits = new Semaphore(CONCURRENT_LIFECYCLES);
    List<Future<?>> lifecycles = new ArrayList<>();
    for (int i = 0; i < LIFECYCLES; i++) {
      ClaimLifecycle lifecycle =
          new ClaimLifecycle(cluster, "c-" + i, new Random(SEED * 1_000_003 + i));
      lifecycles.add(
          executor.submit(() -> {
            permits.acquire();
            try {
              lifecycle.play();
            } finally {
              permits.release();
            }
            return null;
          }));
    }
    return lifecycles;
  }

  private static void awaitLifecycles(List<Future<?>> lifecycles, long millis) throws Exception {
    TestWait.lastOf(
        Duration.ofMillis(millis),
        () -> lifecycles.stream().allMatch(Future::isDone),
        isDone -> isDone);
  }

  private static JavaProcess startController(CsiCluster cluster) throws Exception {
    return JavaProcess.startMooring(
        "run",
        "--mode=replace",
        "--kubeconfig",
        cluster.kubeconfig().toString(),
        "--endpoints=off",
        "--leader-elect=false",
        cluster.endpointFlag(),
        "--audit-log",
        cluster.auditLog().toString(),
        "--deletion-brake-limit=0", // the mass deletion would trip the brake
        "--csi-timeout=500ms",
        "--csi-retry-interval-start=20ms",
        "--csi-retry-interval-max=300ms",
        "--plugins",
        Resources.csiPlugins().toString());
  }

  /** The lifecycle of one claim. */
  private record ClaimLifecycle(CsiCluster cluster, String name, Random random) {
    void play() throws StatusException {
      cluster.createClaim(name, random.nextBoolean() ? "now" : "later");
      if (random.nextInt(5) == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
      } else {
        usePods();
      }
      cluster.delete(KindCatalogue.CLAIMS, name);
      cluster.await(name + " is gone", () -> cluster.find(KindCatalogue.CLAIMS, name).isEmpty());
    }

    private void usePods() throws StatusException {
      int pods = 1 + random.nextInt(3);
      boolean isHasty = random.nextInt(4) == 0;
      for (int i = 0; i < pods; i++) {
        String pod = name + "-" + i;
        cluster.createPod(pod, name);
        if (isHasty) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
        } else {
          cluster.await(
              pod + " runs",
              () -> hasText(cluster.find(KindCatalogue.PODS, pod), "Running", "status", "phase"));
          changeClaim();
        }
        cluster.delete(KindCatalogue.PODS, pod);
        if (random.nextBoolean()) {
          cluster.await(pod + " is gone", () -> cluster.find(KindCatalogue.PODS, pod).isEmpty());
        }
      }
    }

    private void changeClaim() throws StatusException {
      boolean awaitsResult = random.nextBoolean();
      if (random.nextInt(3) == 0) {
        String size = (2 + random.nextInt(3)) + "Gi";
        if (expandIfSmaller(size) && awaitsResult) {
          cluster.await(
              name + " has " + size,
              () ->
                  hasText(
                      cluster.find(KindCatalogue.CLAIMS, name),
                      size,
                      "status",
                      "capacity",
                      "storage"));
        }
      }
      if (random.nextInt(3) == 0) {
        cluster.setAttributesClass(name, "gold");
        if (awaitsResult) {
          cluster.await(
              name + " is gold",
              () ->
                  hasText(
                      cluster.find(KindCatalogue.CLAIMS, name),
                      "gold",
                      "status",
                      "currentVolumeAttributesClassName"));
        }
      }
    }

    /** Returns false if the claim has this size or more, because claims cannot shrink. */
    private boolean expandIfSmaller(String size) throws StatusException {
      boolean isSmaller =
          cluster
              .find(KindCatalogue.CLAIMS, name)
              .map(claim -> JsonBodies.textAt(claim, "spec", "resources", "requests", "storage"))
              .filter(currentSize -> currentSize.compareTo(size) < 0)
              .isPresent();
      if (isSmaller) {
        cluster.expandClaim(name, size);
      }
      return isSmaller;
    }

    private static boolean hasText(Optional<JsonObject> object, String text, String... path) {
      return object
          .filter(candidate -> JsonBodies.textAt(candidate, path).equals(text))
          .isPresent();
    }
  }
}
