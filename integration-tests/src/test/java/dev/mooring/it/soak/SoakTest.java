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
import dev.mooring.it.soak.Replica.Reading;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the program for a long time as the chart installs it: two replicas under its memory limit.
 * Users create, use, expand and delete volumes, and a proxy injects faults. The leader is killed,
 * the server restarts, and a plugin is replaced every minute. Memory, threads and open files do not
 * grow, no process exceeds its memory limit, no object is stuck or lost, and finally the program is
 * idle. {@code -Dmooring.soak.minutes=N} runs it; {@code target/soak.svg} and {@code
 * target/soak.csv} show the resource usage.
 */
class SoakTest {
  private static final int MINUTES = Integer.getInteger("mooring.soak.minutes", 0);
  private static final long SEED = Long.getLong("mooring.soak.seed", 1);
  private static final int USERS = 12;
  private static final int NODES = 6;

  /** Probability of faults relative to the fault scenarios. */
  private static final double RARITY = 0.15;

  @TempDir private Path folder;

  @Test // without a time limit: a soak may take a day, and each wait has its own limit
  void soak_resourceUsage_doesNotGrow() throws Exception {
    Assumptions.assumeTrue(MINUTES > 0, "skipped: -Dmooring.soak.minutes=N is not given");
    long bytes = MemoryLimit.ofTheChart();
    String name = "mooring-soak-" + ProcessHandle.current().pid();
    Optional<MemoryLimit> first = MemoryLimit.of(name + "-a", bytes);
    Optional<MemoryLimit> second = MemoryLimit.of(name + "-b", bytes);
    if (first.isEmpty()) {
      System.err.println("this machine lets us make no cgroup: the memory has no limit here");
    }
    try {
      lives(List.of(first, second));
    } finally {
      for (MemoryLimit limit : List.of(first, second).stream().flatMap(Optional::stream).toList()) {
        limit.close();
      }
    }
  }

  private void lives(List<Optional<MemoryLimit>> limits) throws Exception {
    Faults faults = Faults.endless(SEED, RARITY, Times.LONG);
    try (RestartingServer server = new RestartingServer(folder.resolve("server"), NODES);
        FaultProxy proxy =
            FaultProxy.before(ServerEndpoint.of(server.url(), ""), faults, ProxyTls.make())) {
      Invariants invariants = new Invariants(new RestApi(server.url(), ""));
      proxy.holding(invariants);
      Files.writeString(folder.resolve("kubeconfig"), proxy.kubeconfig());
      Path plugins = plugins();
      ChangingPlugin plugin = new ChangingPlugin(plugins);
      SimulatedUsers lives = new SimulatedUsers(server);
      try (ReplicaSupervisor fleet = new ReplicaSupervisor(limits, arguments(plugins))) {
        lives.begin(USERS);
        SoakSchedule course = new SoakSchedule(server, fleet, plugin, lives);
        course.run(TimeUnit.MINUTES.toSeconds(MINUTES));
        faults.stop();
        lives.end();
        write(course, lives, proxy);
        tell(limits, fleet, lives, plugin);
        assertThat(lives.stuck()).as(fleet::output).isEmpty();
        assertThat(invariants.violations()).isEmpty();
        assertThat(fleet.failures()).isEmpty();
        assertThat(fleet.leaders()).as("leaders").isGreaterThan(SoakSchedule.KILLS);
        assertThat(course.kills()).isEqualTo(SoakSchedule.KILLS);
        assertThat(course.restarts()).isEqualTo(SoakSchedule.RESTARTS);
        assertThat(lives.usedVersions()).hasSizeGreaterThan(plugin.versions() / 2);
        for (Optional<MemoryLimit> limit : limits) {
          assertThat(limit.isPresent() ? limit.get().killedCount() : 0).as("killed by it").isZero();
        }
        verifyQuiet(server, proxy);
        course.verify();
      }
    }
  }

  /** Creates a plugin directory with the packaged plugins and room for the changing one. */
  private Path plugins() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    String ours = "plugins-hostpath.jar";
    Files.copy(Resources.plugins().resolve(ours), plugins.resolve(ours));
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

  private static void write(SoakSchedule course, SimulatedUsers lives, FaultProxy proxy)
      throws IOException {
    long faults = proxy.injectedFaults().values().stream().mapToInt(Integer::intValue).sum();
    Path target = Files.createDirectories(Path.of("target"));
    List<String> table = new ArrayList<>(List.of(Reading.HEADER));
    course.readings().forEach(reading -> table.add(reading.line()));
    Files.write(target.resolve("soak.csv"), table);
    Files.writeString(
        target.resolve("soak.svg"),
        course.chart(
            "%d minutes, %d lives of volumes, %d faults, %d restarts of the server, %d leaders killed"
                .formatted(
                    MINUTES, lives.completedLives(), faults, course.restarts(), course.kills())));
    System.err.println(
        "written: " + target.resolve("soak.svg") + "; faults: " + proxy.injectedFaults());
  }

  private static void tell(
      List<Optional<MemoryLimit>> limits,
      ReplicaSupervisor fleet,
      SimulatedUsers lives,
      ChangingPlugin plugin)
      throws IOException {
    System.err.printf(
        "%d lives; ends of replicas: %s, %d of them led; %d versions of a plugin, of which %d made volumes%n",
        lives.completedLives(),
        fleet.ends(),
        fleet.leaders(),
        plugin.versions(),
        lives.usedVersions().size());
    for (MemoryLimit limit : limits.stream().flatMap(Optional::stream).toList()) {
      System.err.printf(
          "limit %d MiB, at most %s MiB counted, page cache included; %d killed%n",
          MemoryLimit.ofTheChart() >> 20,
          limit.peakUsage().map(peakUsage -> Long.toString(peakUsage >> 20)).orElse("unknown"),
          limit.killedCount());
    }
  }

  /** Checks that all objects are gone and that only lease renewals are sent. */
  private static void verifyQuiet(RestartingServer server, FaultProxy proxy) {
    for (var type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.ATTACHMENTS)) {
      Collection<StoredObject> left =
          server.ask(handlers -> handlers.store(type).list("").objects());
      assertThat(left).as(type.toString()).isEmpty();
    }
    TestWait.until(
        () -> "no requests: " + String.join("\n", proxy.log()),
        () -> {
          long before = proxy.requestsExcept("leases");
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15)); // the quiet window
          return proxy.requestsExcept("leases") == before;
        });
  }
}
