package dev.mooring.plugin.localpath;

import static dev.mooring.plugin.localpath.LocalPathFixtures.affinityTo;
import static dev.mooring.plugin.localpath.LocalPathFixtures.deleteRequest;
import static dev.mooring.plugin.localpath.LocalPathFixtures.failure;
import static dev.mooring.plugin.localpath.LocalPathFixtures.node;
import static dev.mooring.plugin.localpath.LocalPathFixtures.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.testkit.TestObjects;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every claim requests 1Gi. */
class CapacityLedgerTest {
  private static final Node HERE = node("node-1");

  @TempDir private Path folder;
  private Path base;
  private final FakeCluster cluster = FakeCluster.of(HERE, node("node-2"));

  @BeforeEach
  void makeBase() throws Exception {
    base = Files.createDirectory(folder.resolve("base"));
  }

  private LocalPathPlugin plugin(String maxCapacity) {
    return LocalPathFixtures.plugin(
        folder,
        "{\"nodePathMap\": [{\"node\": \"DEFAULT_PATH_FOR_NON_LISTED_NODES\", \"paths\": [{\"path\": \"%s\", \"maxCapacity\": \"%s\"}]}]}"
            .formatted(base, maxCapacity),
        cluster,
        Map.of());
  }

  private static Attempt<Provisioned> provision(LocalPathPlugin plugin, String volume) {
    return plugin
        .provisioner()
        .orElseThrow()
        .provision(request(volume, "c-" + volume, Map.of(), Map.of(), "node-1"));
  }

  private Volume volume(String name, String path, String size, String node) {
    return TestObjects.volume(ObjectKey.cluster(name))
        .capacity(Map.of("storage", Quantity.of(size)))
        .source(VolumeSource.local(path))
        .nodeAffinity(affinityTo(node))
        .build();
  }

  private void save(String name) {
    cluster.volumes.add(volume(name, base + "/" + name + "_ns_c-" + name, "1Gi", "node-1"));
  }

  @Test
  void reserve_existingAndPendingVolumes_areCounted() {
    cluster.volumes.add(volume("a", base + "/x", "512Mi", "node-1"));
    cluster.volumes.add(volume("far", base + "/x", "5Gi", "node-2"));
    cluster.volumes.add(volume("beside", base + "-2/x", "5Gi", "node-1"));
    LocalPathPlugin plugin = plugin("2560Mi");
    assertThat(provision(plugin, "b")).isInstanceOf(Attempt.Done.class);
    assertThat(provision(plugin, "c")).isInstanceOf(Attempt.Done.class);
    Failure full = failure(provision(plugin, "d"));
    assertThat(full).isInstanceOf(Failure.Exhausted.class);
    assertThat(full.message())
        .isEqualTo(
            "node node-1 has no capacity for 1Gi: volumes use 2560Mi of the 2560Mi of " + base);
    assertThat(base.resolve("d_ns_c-d")).doesNotExist();
    save("b");
    save("c");
    assertThat(failure(provision(plugin, "d"))).isEqualTo(full);
  }

  @Test
  void reserve_retry_returnsSamePlacement() {
    LocalPathPlugin plugin = plugin("1Gi");
    assertThat(provision(plugin, "a")).isInstanceOf(Attempt.Done.class);
    assertThat(provision(plugin, "a")).isInstanceOf(Attempt.Done.class);
    save("a");
    assertThat(provision(plugin, "a")).isInstanceOf(Attempt.Done.class);
    assertThat(provision(plugin, "b")).isInstanceOf(Attempt.Failed.class);
  }

  @Test
  void delete_volume_freesCapacity() {
    LocalPathPlugin plugin = plugin("1Gi");
    assertThat(provision(plugin, "a")).isInstanceOf(Attempt.Done.class);
    assertThat(
            plugin
                .deleter()
                .orElseThrow()
                .delete(
                    deleteRequest("a", base + "/a_ns_c-a", ObjectKey.of("ns", "c-a"), Map.of())))
        .isInstanceOf(Attempt.Done.class);
    assertThat(provision(plugin, "b")).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void provision_failure_freesCapacity() throws Exception {
    LocalPathPlugin plugin = plugin("1Gi");
    Files.writeString(base.resolve("a_ns_c-a"), "in the way");
    assertThat(failure(provision(plugin, "a"))).isInstanceOf(Failure.Rejected.class);
    assertThat(provision(plugin, "b")).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void provision_volumesNotListable_createsNothing() {
    cluster.outage = Optional.of(new Failure.Unreachable("out"));
    CapacityLedger ledger = new CapacityLedger(cluster, System::nanoTime);
    assertThat(failure(reserve(ledger, "a", "/b"))).isInstanceOf(Failure.Unreachable.class);
  }

  private static Attempt<CapacityLedger.Reservation> reserve(
      CapacityLedger ledger, String volume, String nodePath) {
    try {
      NodePaths nodePaths =
          ConfigReader.read(
                  "{\"nodePathMap\": [{\"node\": \"node-1\", \"paths\": [{\"path\": \"/a\", \"maxCapacity\": \"2Gi\"}, {\"path\": \"/b\", \"maxCapacity\": \"1Gi\"}]}]}")
              .nodePaths("");
      Map<String, String> parameters = nodePath.isEmpty() ? Map.of() : Map.of("nodePath", nodePath);
      var request = request(volume, "c", parameters, Map.of(), "node-1");
      Optional<Node> node = Optional.of(HERE);
      return ledger.reserve(request, VolumePlacement.of(request, nodePaths, node), nodePaths, node);
    } catch (InvalidInputException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String base(Attempt<CapacityLedger.Reservation> reservation) {
    return ((Attempt.Done<CapacityLedger.Reservation>) reservation)
        .value()
        .placement()
        .directory()
        .base()
        .text();
  }

  @Test
  void reserve_fullPath_triesNextPath() {
    CapacityLedger ledger = new CapacityLedger(cluster, System::nanoTime);
    List<String> bases = new ArrayList<>();
    for (String volume : List.of("u", "v", "w")) {
      bases.add(base(reserve(ledger, volume, "")));
    }
    assertThat(bases).containsExactlyInAnyOrder("/a", "/a", "/b");
    assertThat(failure(reserve(ledger, "x", "")).message())
        .contains("volumes use 2Gi of the 2Gi of /a", "volumes use 1Gi of the 1Gi of /b");
    assertThat(base(reserve(ledger, "v", ""))).as("retry").isEqualTo(bases.get(1));
  }

  /** Other processes may have created and deleted volumes without the plugin's knowledge. */
  @Test
  void reserve_unlistedVolumeAfterOneHour_isDropped() {
    AtomicLong now = new AtomicLong();
    CapacityLedger ledger = new CapacityLedger(cluster, now::get);
    assertThat(reserve(ledger, "a", "/b")).isInstanceOf(Attempt.Done.class);
    now.addAndGet(CapacityLedger.MAX_UNLISTED.toNanos());
    assertThat(reserve(ledger, "b", "/b")).isInstanceOf(Attempt.Failed.class);
    now.addAndGet(1);
    assertThat(reserve(ledger, "b", "/b")).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void reserve_concurrentRequests_neverExceedsCapacity() throws Exception {
    LocalPathPlugin plugin = plugin("5Gi");
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 20; round++) {
        List<Callable<Boolean>> claims = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          String name = "v-" + round + "-" + i;
          claims.add(() -> {
            boolean provisioned = provision(plugin, name) instanceof Attempt.Done;
            if (provisioned) {
              save(name);
            }
            return provisioned;
          });
        }
        int provisionedCount = 0;
        for (Future<Boolean> claim : threads.invokeAll(claims)) {
          provisionedCount += claim.get() ? 1 : 0;
        }
        BigDecimal total =
            cluster.volumes.stream()
                .map(v -> v.storage().value())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(total).isEqualByComparingTo(Quantity.of("5Gi").value());
        assertThat(provisionedCount).isPositive();
        // the last request sees all saved volumes: unlisted ones count for an hour
        assertThat(failure(provision(plugin, "late-" + round)))
            .isInstanceOf(Failure.Exhausted.class);
        cluster.volumes.removeFirst();
        if (round % 2 == 0) {
          cluster.volumes.clear();
        }
      }
    }
  }
}
