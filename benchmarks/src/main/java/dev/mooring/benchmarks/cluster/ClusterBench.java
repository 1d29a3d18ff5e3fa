package dev.mooring.benchmarks.cluster;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.benchmarks.Plot;
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
 * Question: how fast is a controller at a burst of work, and what does that cost the server, a real
 * one or the embedded one over TLS, in comparison with another controller and with a client that
 * makes the same writes and decides nothing? Cold, everything is asked for before the process is
 * started: that is a failover, or an upgrade. Warm, it comes to a process that has served as much
 * before. The limit is the bare client; the bars are those of the peer.
 */
public final class ClusterBench {
  private final BenchOptions options;
  private final Path folder;
  private final Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));

  private ClusterBench(BenchOptions options) throws IOException {
    this.options = options;
    this.folder = Files.createTempDirectory("mooring-cluster-bench");
    Files.createDirectories(target);
  }

  /** Runs it; the arguments are those of {@link BenchOptions}. */
  public static void main(String[] args) throws Exception {
    try {
      new ClusterBench(BenchOptions.of(List.of(args))).run();
    } catch (IllegalArgumentException | KubeConfigException wrong) {
      System.err.println("mooring: bench: " + wrong.getMessage());
      System.exit(2);
    } catch (IllegalStateException | IOException failed) {
      System.err.println("mooring: bench: " + failed.getMessage());
      System.exit(1);
    }
  }

  private void run() throws Exception {
    if (!options.cluster().equals(BenchOptions.EMBEDDED)) {
      Path kubeconfig = Path.of(options.cluster());
      if (!Files.isRegularFile(kubeconfig)) {
        throw new IllegalArgumentException(
            "--cluster: there is no file "
                + kubeconfig
                + ": name a kubeconfig, or none for a server of its own");
      }
      measure(kubeconfig);
      return;
    }
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS.withTls())) {
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
        KubeConnection asking = KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
        SlowNetwork network = new SlowNetwork(port(address), options.delayMillis() * 1_000_000L)) {
      refuseForeign(cluster, address);
      Ways ways = ways(kubeconfig, address, network);
      Round.Place place = new Round.Place(cluster, ways.measured(), target);
      ready();
      cluster.cleanUp(); // of a run that was broken off
      Costs costs =
          new Costs(
              new Round.Place(cluster, ways.counted(), target),
              new ServerMetrics(asking), // what is asked by it is not counted
              ways.counted().equals(kubeconfig) ? Optional.empty() : Optional.of(network::bytes));
      List<ContenderSummary> summaries = new ArrayList<>();
      for (Work work : options.works()) {
        for (Start start : options.starts()) {
          summaries.addAll(measure(new Round.Task(work, start, options.count()), place, costs));
        }
      }
      print(summaries);
      write(summaries);
    }
  }

  private static int port(URI address) {
    return address.getPort() < 0 ? 443 : address.getPort();
  }

  private static void refuseForeign(TestCluster cluster, URI address) {
    List<String> foreign = cluster.foreign();
    if (!foreign.isEmpty()) {
      throw new IllegalArgumentException(
          "cluster "
              + address
              + " has "
              + foreign.size()
              + " volumes, claims or attachments that are not of this benchmark ("
              + foreign.getFirst()
              + "): name a cluster for tests, without controllers of volumes");
    }
  }

  /**
   * How controllers go to the server; this process always goes the short way.
   *
   * @param measured a kubeconfig for what is measured
   * @param counted one for what is counted, past us if that can be
   */
  private record Ways(Path measured, Path counted) {}

  private Ways ways(Path kubeconfig, URI address, SlowNetwork network) throws IOException {
    boolean here = List.of("127.0.0.1", "localhost").contains(address.getHost());
    String text = Files.readString(kubeconfig);
    if (!here || address.getPort() < 0 || !text.contains(address.toString())) {
      if (options.delayMillis() > 0) {
        throw new IllegalArgumentException(
            "--delay-ms is for servers on this machine only, with a port in the kubeconfig, and "
                + address
                + " is none");
      }
      return new Ways(kubeconfig, kubeconfig);
    }
    String pastUs = address.getScheme() + "://" + address.getHost() + ":" + network.port();
    Path counted =
        Files.writeString(folder.resolve("past-us"), text.replace(address.toString(), pastUs));
    return new Ways(options.delayMillis() == 0 ? kubeconfig : counted, counted);
  }

  /**
   * The contenders take turns, so that what else goes on befalls all, and in another order each
   * round. The bare client, the last of them, begins the first, in which this process is colder
   * than it is ever again.
   */
  private List<ContenderSummary> measure(Round.Task task, Round.Place place, Costs costs)
      throws Exception {
    List<Contender> contenders = new ArrayList<>();
    contenders.add(new Contender.Mooring(launcher()));
    if (!options.peer().isEmpty()) {
      contenders.add(new Contender.Peer(options.peer()));
    }
    contenders.add(new Contender.Bare());
    Map<Contender, List<Result>> results = new LinkedHashMap<>();
    contenders.forEach(contender -> results.put(contender, new ArrayList<>()));
    for (int round = 1; round <= options.rounds(); round++) {
      Collections.rotate(contenders, 1);
      for (Contender contender : List.copyOf(contenders)) {
        Result result = new Round(place, task, Round.Window.NONE).play(contender);
        results.computeIfAbsent(contender, c -> new ArrayList<>()).add(result);
        System.err.printf("%s, round %d, %s: %s%n", task.title(), round, contender.title(), result);
        if (result.done() == 0) {
          mayFail(task, contender);
          contenders.remove(contender); // nor will it the next time
        }
      }
    }
    List<ContenderSummary> summaries = new ArrayList<>();
    for (Map.Entry<Contender, List<Result>> each : results.entrySet()) {
      Contender contender = each.getKey();
      Cost cost = contenders.contains(contender) ? costs.of(task, contender) : Cost.UNKNOWN;
      summaries.add(new ContenderSummary(task, contender.title(), each.getValue(), cost));
    }
    return summaries;
  }

  private static void mayFail(Round.Task task, Contender contender) {
    if (!(contender instanceof Contender.Peer)) {
      throw new IllegalStateException(
          task.title()
              + ": "
              + contender.title()
              + " did nothing, or not all that the others came after, within a minute");
    }
  }

  /** What is built, and trained, at the first start of all is no part of what is measured. */
  private static void ready() throws IOException, InterruptedException {
    int code =
        new ProcessBuilder(launcher().toString(), "--version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException(launcher() + " --version ended with code " + code);
    }
  }

  private static Path launcher() {
    return Path.of(System.getProperty("mooring.launcher", "mooring")).toAbsolutePath();
  }

  private void print(List<ContenderSummary> summaries) {
    System.out.printf(
        "%-46s %-12s %6s %8s %14s %9s %9s %9s %7s %9s %9s %9s %9s%n",
        options.count() + " of each, medians",
        "by",
        "done",
        "a second",
        "(rounds)",
        "first, s",
        "p50, s",
        "p99, s",
        "CPU, s",
        "peak, MiB",
        "req/unit",
        "KiB/unit",
        "conflicts");
    for (ContenderSummary summary : summaries) {
      System.out.println(summary.line());
    }
  }

  private void write(List<ContenderSummary> summaries) throws IOException {
    JsonArray json = new JsonArray();
    Map<String, Double> plotted = new LinkedHashMap<>();
    for (ContenderSummary summary : summaries) {
      JsonObject one = summary.json();
      one.addProperty("delayMillis", options.delayMillis());
      json.add(one);
      if (summary.contender().equals("mooring")) {
        summaries.stream()
            .filter(o -> o.task().equals(summary.task()) && !o.contender().equals("mooring"))
            .filter(o -> o.done() > 0)
            .forEach(o ->
                plotted.put(
                    summary.task().title() + ", of the " + o.contender() + "'s rate",
                    summary.rate() / o.rate()));
      }
    }
    Files.writeString(
        target.resolve("cluster.json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(target.resolve("cluster.svg"), Plot.svg(plotted));
    System.out.println(
        "written: " + target.resolve("cluster.json") + ", " + target.resolve("cluster.svg"));
  }
}
