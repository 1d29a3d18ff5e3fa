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

/** What controllers are measured by is measured: each work has a goal, and somebody gets there. */
class WorksTest {
  private static final int UNITS = 12; // of each part of the mixed one more than one

  @TempDir private Path folder;
  private ApiServer server;
  private KubeConnection connection;
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = ApiServer.start(ApiServer.Config.DEFAULTS);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench");
    cluster = new TestCluster(connection);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    server.close();
  }

  /** What a bare client sends for a unit is what its figures are figures of. */
  @ParameterizedTest
  @CsvSource({
    "bind, 4",
    "bind-distinct, 4",
    "provision, 5",
    "attach, 1.83", // and a write for each of ten nodes
    "delete, 4",
    "expand, 3",
    "mixed, 3.75" // and three nodes
  })
  void whoDoesItByHandComesToTheGoal(String option, double requests) throws Exception {
    Work work = Works.named(option);
    work.begin(cluster);
    cluster.each(UNITS, unit -> work.prepare(cluster, unit));
    cluster.each(UNITS, unit -> work.ask(cluster, unit));
    assertThat(IntStream.range(0, UNITS).filter(unit -> work.isDone(cluster, unit)))
        .as("done before anybody does anything")
        .isEmpty();
    RequestCount sent = cluster.sent();
    RequestCount others = cluster.sentForOthers();

    cluster.each(UNITS, unit -> work.bare(cluster, unit));
    work.bareEnd(cluster, IntStream.range(0, UNITS).boxed().toList());

    assertThat(new Looking(work, cluster, () -> {}).await(0, UNITS)).doesNotContain(Looking.NEVER);
    // the driver's answers may still be under way
    await()
        .untilAsserted(() -> {
          RequestCount own =
              cluster.sent().minus(sent).minus(cluster.sentForOthers().minus(others));
          assertThat((double) own.all() / UNITS).isEqualTo(requests, offset(0.1));
        });
    cluster.cleanUp();
    assertThat(cluster.foreign()).isEmpty();
  }

  /** What this process sends is nobody's cost. */
  @Test
  void whoDoesNothingCostsNothing() throws Exception {
    KubeConnection asking =
        KubeConnection.ofFiles(List.of(folder.resolve("kubeconfig")), "", "mooring-bench");
    Meter meter = new Meter(new ServerMetrics(asking), cluster, Optional.of(() -> 0L), false);
    meter.begin();
    cluster.each(UNITS, unit -> Works.named("bind").ask(cluster, unit));
    meter.end();

    assertThat(meter.cost(1)).isEqualTo(new Cost(0, 0, 0));
    asking.close();
  }

  @Test
  void aRoundIsCountedAsTheServerCountsIt() throws Exception {
    Work work = Works.named("bind");
    Meter meter = new Meter(new ServerMetrics(connection), cluster, Optional.empty(), true);
    Round.Task task = new Round.Task(work, Start.WARM, UNITS);

    Result result =
        new Round(new Round.Place(cluster, folder, folder), task, meter).play(new Contender.Bare());

    assertThat(result.done()).isEqualTo(UNITS);
    assertThat(meter.cost(UNITS).requests()).isEqualTo(4);
    assertThat(meter.cost(UNITS).conflicts()).isZero();
    assertThat(meter.cost(UNITS).kib()).isNaN();
  }
}
