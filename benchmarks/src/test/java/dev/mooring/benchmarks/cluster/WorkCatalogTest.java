package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.ServerMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the measure: the bare client reaches the goal of each work, and its requests are counted.
 */
class WorkCatalogTest {
  private static final int UNITS = 12; // several units of each part of mixed

  @TempDir private Path folder;
  private ApiServer server;
  private KubeConnection connection;
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
    cluster = new TestCluster(connection);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "bind, 4",
    "bind-distinct, 4",
    "provision, 5",
    "attach, 1.83", // plus one write per node
    "delete, 4",
    "expand, 3",
    "mixed, 3.75" // plus three nodes
  })
  void writeDirectly_anyWork_finishesUnitsWithKnownRequests(String option, double requests)
      throws Exception {
    ClusterWork work = WorkCatalog.parse(option);
    work.createShared(cluster);
    cluster.forEach(UNITS, unit -> work.prepare(cluster, unit));
    cluster.forEach(UNITS, unit -> work.request(cluster, unit));
    assertThat(IntStream.range(0, UNITS).filter(unit -> work.isDone(cluster, unit)))
        .as("done before any write")
        .isEmpty();
    RequestCount requestsBefore = cluster.requestCount();
    RequestCount standInRequestsBefore = cluster.standInRequestCount();

    cluster.forEach(UNITS, unit -> work.writeDirectly(cluster, unit));
    work.writeCombined(cluster, IntStream.range(0, UNITS).boxed().toList());

    assertThat(new CompletionPoller(work, cluster, () -> {}).await(0, UNITS))
        .doesNotContain(CompletionPoller.NEVER);
    // the driver may not have answered all attachments yet
    await()
        .untilAsserted(() -> {
          RequestCount workRequests =
              cluster
                  .requestCount()
                  .minus(requestsBefore)
                  .minus(cluster.standInRequestCount().minus(standInRequestsBefore));
          assertThat((double) workRequests.total() / UNITS).isEqualTo(requests, offset(0.1));
        });
    cluster.cleanUp();
    assertThat(cluster.findForeign()).isEmpty();
  }

  @Test
  void cost_requestsOfThisProcess_areNotCounted() throws Exception {
    KubeConnection metricsConnection =
        KubeConnection.ofFiles(List.of(folder.resolve("kubeconfig")), "", "mooring-bench");
    RequestMeter meter =
        new RequestMeter(
            new ServerMetrics(metricsConnection), cluster, Optional.of(() -> 0L), false);
    meter.begin();
    cluster.forEach(UNITS, unit -> WorkCatalog.parse("bind").request(cluster, unit));
    meter.end();

    assertThat(meter.cost(1)).isEqualTo(new ServerCost(0, 0, 0));
    metricsConnection.close();
  }

  @Test
  void cost_roundOfBareClient_equalsServerCount() throws Exception {
    ClusterWork work = WorkCatalog.parse("bind");
    RequestMeter meter =
        new RequestMeter(new ServerMetrics(connection), cluster, Optional.empty(), true);
    BenchRound.RoundTask task = new BenchRound.RoundTask(work, StartMode.WARM, UNITS);

    RoundResult result =
        new BenchRound(new BenchRound.RoundEnvironment(cluster, folder, folder), task, meter)
            .run(new BenchContender.BareClient());

    assertThat(result.done()).isEqualTo(UNITS);
    assertThat(meter.cost(UNITS).requests()).isEqualTo(4);
    assertThat(meter.cost(UNITS).conflicts()).isZero();
    assertThat(meter.cost(UNITS).kib()).isNaN();
  }
}
