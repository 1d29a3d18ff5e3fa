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
 * Runs many randomized claim lifecycles with distinct seeds: each claim is created, used by several
 * pods, expanded, modified and deleted at any moment. Every driver call may fail in any way, and
 * both the controller and the driver are killed and restarted. No volume is provisioned or attached
 * twice, and none is left behind.
 *
 * <p>{@code -Dmooring.csi.kill.lives=1000} sets the number of lifecycles, {@code
 * -Dmooring.csi.seed=7} the seed.
 */
class CsiKillTest {
  private static final int LIVES = Integer.getInteger("mooring.csi.kill.lives", 120);
  private static final long SEED = Long.getLong("mooring.csi.seed", 1);
  private static final int AT_ONCE = 60;
  private static final Settings ABLE =
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
  void lifecycles_processesKilled_noDuplicateOrLeak() throws Exception {
    try (CsiCluster cluster = new CsiCluster(folder, 4, false)) {
      cluster.attributesClass("gold", "9000");
      Settings faulty = ABLE.with(method -> CsiCluster.fault(method, random));
      int kills = 0;
      int calls = 0;
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> lives = begin(cluster, executor);
        while (!lives.stream().allMatch(Future::isDone)) {
          try (JavaProcess controller = controller(cluster)) {
            controller.awaitLine(line -> line.contains(" against http"));
            for (int i = 0; i < 2; i++) {
              try (ReferenceDriver driver = cluster.driver(faulty)) {
                await(lives, 2000 + random.nextInt(4000));
                calls += driver.calls().size();
              }
              await(lives, 1 + random.nextInt(300)); // while the driver is down
            }
            assertThat(controller.output()).noneMatch(line -> line.contains("failed with a bug"));
            kills++;
          }
        }
        for (Future<?> life : lives) {
          life.get();
        }
      }
      try (ReferenceDriver driver = cluster.driver(faulty);
          JavaProcess controller = controller(cluster)) {
        awaitNothing(cluster);
        assertThat(driver.calls()).isNotNull();
        assertThat(controller.output()).noneMatch(line -> line.contains("failed with a bug"));
      }
      assertThat(cluster.store().offences()).isEmpty();
      System.out.printf(
          "%d lives, %d volumes made, %d calls, the controller killed %d times%n",
          LIVES, cluster.store().countCreated(), calls, kills);
    }
  }

  private static void awaitNothing(CsiCluster cluster) throws IOException {
    try {
      TestWait.until(
          "no volume is left",
          () ->
              cluster.isEmpty(KindCatalogue.CLAIMS)
                  && cluster.isEmpty(KindCatalogue.VOLUMES)
                  && cluster.isEmpty(KindCatalogue.ATTACHMENTS)
                  && cluster.store().listVolumes().isEmpty());
    } catch (AssertionError left) {
      throw new AssertionError(left.getMessage() + cluster.describeLeftovers(), left);
    }
  }

  private List<Future<?>> begin(CsiCluster cluster, ExecutorService executor) {
    Semaphore room = new Semaphore(AT_ONCE);
    List<Future<?>> lives = new ArrayList<>();
    for (int i = 0; i < LIVES; i++) {
      Life life = new Life(cluster, "c-" + i, new Random(SEED * 1_000_003 + i));
      lives.add(
          executor.submit(() -> {
            room.acquire();
            try {
              life.live();
            } finally {
              room.release();
            }
            return null;
          }));
    }
    return lives;
  }

  private static void await(List<Future<?>> lives, long millis) throws Exception {
    TestWait.lastOf(
        Duration.ofMillis(millis),
        () -> lives.stream().allMatch(Future::isDone),
        allAreDone -> allAreDone);
  }

  private static JavaProcess controller(CsiCluster cluster) throws Exception {
    return JavaProcess.mooring(
        "run",
        "--mode=replace",
        "--kubeconfig",
        cluster.kubeconfig().toString(),
        "--endpoints=off",
        "--leader-elect=false",
        cluster.endpointFlag(),
        "--audit-log",
        cluster.audit().toString(),
        "--deletion-brake-limit=0", // the mass deletion would trip the brake
        "--csi-timeout=500ms",
        "--csi-retry-interval-start=20ms",
        "--csi-retry-interval-max=300ms",
        "--plugins",
        Resources.csiPlugins().toString());
  }

  /** The lifecycle of one claim. */
  private record Life(CsiCluster cluster, String name, Random random) {
    void live() throws StatusException {
      cluster.claim(name, random.nextBoolean() ? "now" : "later");
      if (random.nextInt(5) == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
      } else {
        use();
      }
      cluster.delete(KindCatalogue.CLAIMS, name);
      cluster.until(name + " is gone", () -> cluster.get(KindCatalogue.CLAIMS, name).isEmpty());
    }

    private void use() throws StatusException {
      int pods = 1 + random.nextInt(3);
      boolean inHaste = random.nextInt(4) == 0;
      for (int i = 0; i < pods; i++) {
        String pod = name + "-" + i;
        cluster.pod(pod, name);
        if (inHaste) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
        } else {
          cluster.until(
              pod + " runs",
              () -> is(cluster.get(KindCatalogue.PODS, pod), "Running", "status", "phase"));
          change();
        }
        cluster.delete(KindCatalogue.PODS, pod);
        if (random.nextBoolean()) {
          cluster.until(pod + " is gone", () -> cluster.get(KindCatalogue.PODS, pod).isEmpty());
        }
      }
    }

    private void change() throws StatusException {
      boolean waits = random.nextBoolean();
      if (random.nextInt(3) == 0) {
        String size = (2 + random.nextInt(3)) + "Gi";
        if (growsTo(size) && waits) {
          cluster.until(
              name + " has " + size,
              () ->
                  is(
                      cluster.get(KindCatalogue.CLAIMS, name),
                      size,
                      "status",
                      "capacity",
                      "storage"));
        }
      }
      if (random.nextInt(3) == 0) {
        cluster.modify(name, "gold");
        if (waits) {
          cluster.until(
              name + " is gold",
              () ->
                  is(
                      cluster.get(KindCatalogue.CLAIMS, name),
                      "gold",
                      "status",
                      "currentVolumeAttributesClassName"));
        }
      }
    }

    /** Returns false if the claim already has this size or more: claims cannot shrink. */
    private boolean growsTo(String size) throws StatusException {
      boolean smaller =
          cluster
              .get(KindCatalogue.CLAIMS, name)
              .map(c -> JsonBodies.textAt(c, "spec", "resources", "requests", "storage"))
              .filter(now -> now.compareTo(size) < 0)
              .isPresent();
      if (smaller) {
        cluster.grow(name, size);
      }
      return smaller;
    }

    private static boolean is(Optional<JsonObject> object, String text, String... path) {
      return object.filter(o -> JsonBodies.textAt(o, path).equals(text)).isPresent();
    }
  }
}
