package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.faults.FaultProxy;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.Faults.Times;
import dev.mooring.it.faults.Invariants;
import dev.mooring.it.faults.ProxyTls;
import dev.mooring.it.soak.Replica.ReplicaSample;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs two replicas for a long time with the memory limit of the chart. Users create, use, expand
 * and delete volumes, and a proxy injects faults. The test kills leaders, restarts the server, and
 * replaces a plugin every minute. It checks that memory, threads and open files do not grow, that
 * no process exceeds its memory limit, that every change of a user happens, and that the replicas
 * are idle in the end. {@code -Dmooring.soak.minutes=N} runs the test; {@code target/soak.svg} and
 * {@code target/soak.csv} show the resource usage.
 */
class SoakTest {
  private static final int MINUTES = Integer.getInteger("mooring.soak.minutes", 0);
  private static final long SEED = Long.getLong("mooring.soak.seed", 1);
  private static final int USERS = 12;
  private static final int NODES = 6;

  /** Probability of faults relative to the fault scenarios. */
  private static final double FAULT_RATE = 0.15;

  @TempDir private Path folder;

  @Test
  @Timeout(value = 7, unit = TimeUnit.DAYS)
  void soak_resourceUsage_doesNotGrow() throws Exception {
    Assumptions.assumeTrue(MINUTES > 0, "skipped: -Dmooring.soak.minutes=N is not given");
    long bytes = MemoryLimit.readFromChart();
    String name = "mooring-soak-" + ProcessHandle.current().pid();
    Optional<MemoryLimit> firstLimit = MemoryLimit.of(name + "-a", bytes);
    Optional<MemoryLimit> secondLimit = MemoryLimit.of(name + "-b", bytes);
    if (firstLimit.isEmpty()) {
      System.err.println("this process cannot create a cgroup: memory is not limited");
    }
    try {
      runSoak(List.of(firstLimit, secondLimit));
    } finally {
      for (MemoryLimit limit :
          List.of(firstLimit, secondLimit).stream().flatMap(Optional::stream).toList()) {
        limit.close();
      }
    }
  }

  private void runSoak(List<Optional<MemoryLimit>> limits) throws Exception {
    Faults faults = Faults.endless(SEED, FAULT_RATE, Times.LONG);
    try (RestartingServer server = new RestartingServer(folder.resolve("server"), NODES);
        FaultProxy proxy =
            FaultProxy.before(ServerEndpoint.of(server.url(), ""), faults, ProxyTls.make())) {
      Invariants invariants = new Invariants(new RestApi(server.url(), ""));
      proxy.holding(invariants);
      Files.writeString(folder.resolve("kubeconfig"), proxy.kubeconfig());
      Path plugins = createPluginDirectory();
      ChangingPlugin plugin = new ChangingPlugin(plugins);
      SimulatedUsers users = new SimulatedUsers(server);
      try (ReplicaSupervisor replicas = new ReplicaSupervisor(limits, arguments(plugins))) {
        users.start(USERS);
        SoakSchedule schedule = new SoakSchedule(server, replicas, plugin, users);
        schedule.run(TimeUnit.MINUTES.toSeconds(MINUTES));
        faults.stop();
        users.finish();
        writeReport(schedule, users, proxy);
        printSummary(limits, replicas, users, plugin);
        assertThat(users.failures()).as(replicas::output).isEmpty();
        assertThat(invariants.violations()).isEmpty();
        assertThat(replicas.failures()).isEmpty();
        assertThat(replicas.leaderCount()).as("leaders").isGreaterThan(SoakSchedule.KILLS);
        assertThat(schedule.kills()).isEqualTo(SoakSchedule.KILLS);
        assertThat(schedule.restarts()).isEqualTo(SoakSchedule.RESTARTS);
        assertThat(users.usedVersions()).hasSizeGreaterThan(plugin.versionCount() / 2);
        for (Optional<MemoryLimit> limit : limits) {
          assertThat(limit.isPresent() ? limit.get().killedCount() : 0)
              .as("killed by the limit")
              .isZero();
        }
        verifyQuiet(server, proxy);
        schedule.verify();
      }
    }
  }

  /** Creates a plugin directory with the packaged host-path plugin. */
  private Path createPluginDirectory() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    String hostPathJar = "plugins-hostpath.jar";
    Files.copy(Resources.plugins().resolve(hostPathJar), plugins.resolve(hostPathJar));
    return plugins;
  }

  /** Renewal deadlines exceed the longest fault plus the server's downtime. */
  private List<String> arguments(Path plugins) {
    return List.of(
        "run",
        "--mode=replace",
        "--kubeconfig=" + folder.resolve("kubeconfig"),
        "--plugins=" + plugins,
        "--leader-elect-lease-duration=60s",
        "--leader-elect-renew-deadline=50s",
        "--leader-elect-retry-period=5s",
        "--deletion-brake-limit=0", // users delete more than the brake would permit
        "--enable-hostpath-provisioner=true");
  }

  private static void writeReport(SoakSchedule schedule, SimulatedUsers users, FaultProxy proxy)
      throws IOException {
    long faults = proxy.injectedFaults().values().stream().mapToInt(Integer::intValue).sum();
    Path target = Files.createDirectories(Path.of("target"));
    List<String> table = new ArrayList<>(List.of(ReplicaSample.HEADER));
    schedule.samples().forEach(sample -> table.add(sample.csvLine()));
    Files.write(target.resolve("soak.csv"), table);
    Files.writeString(
        target.resolve("soak.svg"),
        schedule.chart(
            "%d minutes, %d cycles of users, %d faults, %d restarts of the server, %d leaders killed"
                .formatted(
                    MINUTES,
                    users.completedCycles(),
                    faults,
                    schedule.restarts(),
                    schedule.kills())));
    System.err.println(
        "written: " + target.resolve("soak.svg") + "; faults: " + proxy.injectedFaults());
  }

  private static void printSummary(
      List<Optional<MemoryLimit>> limits,
      ReplicaSupervisor replicas,
      SimulatedUsers users,
      ChangingPlugin plugin)
      throws IOException {
    System.err.printf(
        "%d cycles of users; exits of replicas: %s; %d leaders; %d versions of a plugin, %d of them provisioned volumes%n",
        users.completedCycles(),
        replicas.exits(),
        replicas.leaderCount(),
        plugin.versionCount(),
        users.usedVersions().size());
    for (MemoryLimit limit : limits.stream().flatMap(Optional::stream).toList()) {
      System.err.printf(
          "limit %d MiB, peak usage %s MiB with the page cache, %d processes killed%n",
          MemoryLimit.readFromChart() >> 20,
          limit.peakUsage().map(peakUsage -> Long.toString(peakUsage >> 20)).orElse("unknown"),
          limit.killedCount());
    }
  }

  /** Checks that no object remains and that the replicas only renew their lease. */
  private static void verifyQuiet(RestartingServer server, FaultProxy proxy) {
    for (var type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.ATTACHMENTS)) {
      Collection<StoredObject> remaining =
          server.call(handlers -> handlers.store(type).list("").objects());
      assertThat(remaining).as(type.toString()).isEmpty();
    }
    TestWait.until(
        () -> "no requests: " + String.join("\n", proxy.log()),
        () -> {
          long requestsBefore = proxy.requestsExcept("leases");
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15)); // the quiet window
          return proxy.requestsExcept("leases") == requestsBefore;
        });
  }
}
