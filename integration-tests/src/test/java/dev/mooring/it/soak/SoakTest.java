package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.it.Api;
import dev.mooring.it.Endpoint;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.faults.FaultProxy;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.Faults.Times;
import dev.mooring.it.faults.Invariants;
import dev.mooring.it.faults.ProxyTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The assembled program over a long time, with users who make, use, grow and delete volumes, and
 * with faults between it and its server: neither its memory nor its threads nor its open files
 * grow, nothing gets stuck, and in the end it comes to rest. {@code -Dmooring.soak.minutes=N} runs
 * it; {@code target/soak.svg} shows what it held.
 */
class SoakTest {
  private static final int MINUTES = Integer.getInteger("mooring.soak.minutes", 0);
  private static final long SEED = Long.getLong("mooring.soak.seed", 1);
  private static final int USERS = 12;
  private static final int NODES = 6;
  private static final Duration EVERY = Duration.ofSeconds(10);

  /** Of all requests that could meet a fault, in comparison with the scenarios' storm. */
  private static final double RARITY = 0.15;

  @TempDir private Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void whatItHoldsDoesNotGrow() throws Exception {
    Assumptions.assumeTrue(MINUTES > 0, "skipped: -Dmooring.soak.minutes=N is not given");
    Faults faults = Faults.endless(SEED, RARITY, Times.LONG);
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS);
        NodeSimulator nodes = NodeSimulator.start(server.verbs(), NODES);
        FaultProxy proxy =
            FaultProxy.before(Endpoint.of(server.url(), ""), faults, ProxyTls.make())) {
      Invariants invariants = new Invariants(new Api(server.url(), ""));
      proxy.holding(invariants);
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), proxy.kubeconfig());
      Lives lives = new Lives(server.verbs());
      try (JavaProcess controller =
          JavaProcess.launched(
              "run",
              "--kubeconfig=" + kubeconfig,
              "--endpoints=off",
              "--leader-elect=false",
              "--deletion-brake-limit=0", // users delete more than it would let them
              "--enable-hostpath-provisioner=true")) {
        lives.begin(USERS);
        List<Sample> samples = watch(controller, lives);
        faults.stop();
        lives.end();
        write(samples, lives, proxy);
        assertThat(lives.stuck()).as(() -> String.join("\n", controller.said())).isEmpty();
        assertThat(invariants.violations()).isEmpty();
        comesToRest(server, proxy);
        verify(samples.subList(samples.size() / 3, samples.size()));
      }
      assertThat(nodes).isNotNull();
    }
  }

  private static List<Sample> watch(JavaProcess controller, Lives lives)
      throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    long began = System.nanoTime();
    while (System.nanoTime() - began < TimeUnit.MINUTES.toNanos(MINUTES)) {
      LockSupport.parkNanos(EVERY.toNanos());
      Sample sample = Sample.of(controller.pid(), (System.nanoTime() - began) / 1e9);
      samples.add(sample);
      System.err.println(sample + ", " + lives.lived() + " lives, stuck: " + lives.stuck());
    }
    return samples;
  }

  private static void write(List<Sample> samples, Lives lives, FaultProxy proxy)
      throws IOException {
    long faults = proxy.struck().values().stream().mapToInt(Integer::intValue).sum();
    Chart chart =
        new Chart(
                "%d minutes, %d lives of volumes, %d faults"
                    .formatted(MINUTES, lives.lived(), faults),
                samples)
            .row("resident memory, MiB", Sample::residentMib)
            .row("heap after a collection, MiB", Sample::heapMib)
            .row("threads", Sample::threads)
            .row("open files", Sample::files);
    Path target = Files.createDirectories(Path.of("target"));
    Files.writeString(target.resolve("soak.svg"), chart.svg());
    System.err.println("written: " + target.resolve("soak.svg") + "; faults: " + proxy.struck());
  }

  /** All is gone, and nothing is asked any more. */
  private static void comesToRest(ApiServer server, FaultProxy proxy) {
    for (var type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.ATTACHMENTS)) {
      assertThat(server.verbs().store(type).list("").objects()).as(type.toString()).isEmpty();
    }
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    long before = -1;
    while (proxy.asked() != before) {
      before = proxy.asked();
      assertThat(System.nanoTime()).as(() -> String.join("\n", proxy.log())).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(15));
    }
  }

  private static void verify(List<Sample> samples) {
    verify("resident memory", Trend.of(samples, Sample::residentMib), 0.1, 2);
    verify("heap", Trend.of(samples, Sample::heapMib), 0.1, 1);
    verify("threads", Trend.of(samples, Sample::threads), 0.1, 3);
    verify("open files", Trend.of(samples, Sample::files), 0.1, 5);
  }

  private static void verify(String what, Trend trend, double part, double more) {
    System.err.println(what + ": " + trend);
    assertThat(trend.growth()).as(what + " " + trend).isLessThan(trend.mean() * part + more);
  }
}
