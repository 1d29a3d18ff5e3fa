package dev.mooring.benchmarks.cluster;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.ResultTable;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.benchmarks.scale.SlowNetwork;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.ServerMetrics;
import dev.mooring.kube.auth.KubeConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Question: how fast does a controller finish a burst of work, and what does the burst cost the API
 * server? The server is a real one, or the embedded one over TLS. The benchmark compares Mooring
 * with another controller and with a client that makes the same writes without decisions. Cold
 * start: all work exists before the process starts, as with a single replica. Warm start: the work
 * arrives at a process that has already served the same amount. Takeover: a standby has observed
 * the work when the leader releases the Lease. The bare client is the upper bound; the peer is the
 * limit.
 */
public final class ClusterBench {
  private final BenchOptions options;
  private final Path folder;
  private final Path target = BenchOutput.directory();

  private ClusterBench(BenchOptions options) throws IOException {
    this.options = options;
    this.folder = Files.createTempDirectory("mooring-cluster-bench");
    Files.createDirectories(target);
  }

  public static void main(String[] args) throws Exception {
    try {
      new ClusterBench(BenchOptions.of(List.of(args))).run();
    } catch (IllegalArgumentException | KubeConfigException e) {
      System.err.println("mooring: bench: " + e.getMessage());
      System.exit(2);
    } catch (IllegalStateException | IOException e) {
      System.err.println("mooring: bench: " + e.getMessage());
      System.exit(1);
    }
  }

  private void run() throws Exception {
    if (!options.cluster().equals(BenchOptions.EMBEDDED)) {
      Path kubeconfig = Path.of(options.cluster());
      if (!Files.isRegularFile(kubeconfig)) {
        throw new IllegalArgumentException(
            "--cluster: no such file "
                + kubeconfig
                + ": give a kubeconfig, or omit it to start an embedded server");
      }
      measure(kubeconfig);
      return;
    }
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS.withTls())) {
      measure(Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig()));
    }
  }

  private void measure(Path kubeconfig) throws Exception {
    KubeConnection connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
    URI address = URI.create(connection.address());
    String problem = connection.probe();
    if (!problem.isEmpty()) {
      throw new IllegalStateException(problem);
    }
    try (TestCluster cluster = new TestCluster(connection);
        KubeConnection metricsConnection =
            KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
        SlowNetwork network = new SlowNetwork(port(address), options.delayMillis() * 1_000_000L)) {
      rejectForeignObjects(cluster, address);
      ProcessKubeconfigs kubeconfigs = chooseKubeconfigs(kubeconfig, address, network);
      BenchRound.RoundEnvironment environment =
          new BenchRound.RoundEnvironment(cluster, kubeconfigs.measured(), target);
      buildLauncher();
      cluster.cleanUp(); // an interrupted run may have left objects
      ServerCostRound costs =
          new ServerCostRound(
              new BenchRound.RoundEnvironment(cluster, kubeconfigs.counted(), target),
              new ServerMetrics(metricsConnection), // requests of this connection are not counted
              kubeconfigs.counted().equals(kubeconfig)
                  ? Optional.empty()
                  : Optional.of(network::bytes));
      List<ContenderSummary> summaries = new ArrayList<>();
      for (ClusterWork work : options.works()) {
        for (StartMode start : options.starts()) {
          summaries.addAll(
              measure(new BenchRound.RoundTask(work, start, options.count()), environment, costs));
        }
      }
      report(summaries);
    }
  }

  private static int port(URI address) {
    return address.getPort() < 0 ? 443 : address.getPort();
  }

  private static void rejectForeignObjects(TestCluster cluster, URI address) {
    List<String> foreign = cluster.findForeign();
    if (!foreign.isEmpty()) {
      throw new IllegalArgumentException(
          "cluster %s has %s volumes, claims or attachments that this benchmark did not create (first:%s): use a test cluster without volume controllers"
              .formatted(address, foreign.size(), foreign.getFirst()));
    }
  }

  /**
   * Kubeconfigs of the contenders' processes. This process always connects directly.
   *
   * @param measured kubeconfig of rounds that measure time
   * @param counted kubeconfig of rounds that count bytes: through the proxy if possible
   */
  private record ProcessKubeconfigs(Path measured, Path counted) {}

  private ProcessKubeconfigs chooseKubeconfigs(Path kubeconfig, URI address, SlowNetwork network)
      throws IOException {
    boolean isLocal = List.of("127.0.0.1", "localhost").contains(address.getHost());
    String text = Files.readString(kubeconfig);
    if (!isLocal || address.getPort() < 0 || !text.contains(address.toString())) {
      if (options.delayMillis() > 0) {
        throw new IllegalArgumentException(
            "--delay-ms requires a server on this machine with an explicit port in the kubeconfig, was "
                + address);
      }
      return new ProcessKubeconfigs(kubeconfig, kubeconfig);
    }
    String proxyUrl = address.getScheme() + "://" + address.getHost() + ":" + network.port();
    Path counted =
        Files.writeString(
            folder.resolve("kubeconfig-of-proxy"), text.replace(address.toString(), proxyUrl));
    return new ProcessKubeconfigs(options.delayMillis() == 0 ? kubeconfig : counted, counted);
  }

  /**
   * Runs the contenders in turns, so that other load on the machine affects all of them, in a
   * different order each round. The bare client starts the first round, because it runs in this
   * process, which is then not warmed up yet.
   */
  private List<ContenderSummary> measure(
      BenchRound.RoundTask task, BenchRound.RoundEnvironment environment, ServerCostRound costs)
      throws Exception {
    List<BenchContender> contenders = new ArrayList<>();
    contenders.add(new BenchContender.MooringProcess(launcher()));
    if (!options.peer().isEmpty()) {
      contenders.add(new BenchContender.PeerProcess(options.peer()));
    }
    contenders.add(new BenchContender.BareClient());
    Map<BenchContender, List<RoundResult>> results = new LinkedHashMap<>();
    contenders.forEach(contender -> results.put(contender, new ArrayList<>()));
    for (int round = 1; round <= options.rounds(); round++) {
      Collections.rotate(contenders, 1);
      for (BenchContender contender : List.copyOf(contenders)) {
        RoundResult result =
            new BenchRound(environment, task, BenchRound.MeasuredWindow.NONE).run(contender);
        results.computeIfAbsent(contender, c -> new ArrayList<>()).add(result);
        System.err.printf("%s, round %d, %s: %s%n", task.title(), round, contender.title(), result);
        if (result.done() == 0) {
          requirePeer(task, contender);
          contenders.remove(contender); // it would fail in the next round too
        }
      }
    }
    List<ContenderSummary> summaries = new ArrayList<>();
    for (Map.Entry<BenchContender, List<RoundResult>> entry : results.entrySet()) {
      BenchContender contender = entry.getKey();
      ServerCost cost =
          contenders.contains(contender) ? costs.measure(task, contender) : ServerCost.UNKNOWN;
      summaries.add(new ContenderSummary(task, contender.title(), entry.getValue(), cost));
    }
    return summaries;
  }

  private static void requirePeer(BenchRound.RoundTask task, BenchContender contender) {
    if (!(contender instanceof BenchContender.PeerProcess)) {
      throw new IllegalStateException(
          "%s: %s finished no unit within a minute, or not all units of the first burst"
              .formatted(task.title(), contender.title()));
    }
  }

  private static void buildLauncher() throws IOException, InterruptedException {
    int code =
        new ProcessBuilder(launcher().toString(), "--version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException(launcher() + " --version exited with code " + code);
    }
  }

  private static Path launcher() {
    return Path.of(System.getProperty("mooring.launcher", "mooring")).toAbsolutePath();
  }

  private void report(List<ContenderSummary> summaries) throws IOException {
    ResultTable<ContenderSummary> table =
        ContenderSummary.table(options.count() + " units per work, medians")
            .member("delayMillis", summary -> options.delayMillis());
    table.print(summaries);
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (ContenderSummary summary : summaries) {
      if (summary.contender().equals("mooring")) {
        summaries.stream()
            .filter(o -> o.task().equals(summary.task()) && !o.contender().equals("mooring"))
            .filter(o -> o.done() > 0)
            .forEach(o ->
                ratios.put(
                    summary.task().title() + ", ratio to the " + o.contender(),
                    summary.rate() / o.rate()));
      }
    }
    BenchOutput.write("cluster", table.json(summaries), SvgChart.svg(ratios));
  }
}
