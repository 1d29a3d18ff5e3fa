package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.cluster.Document;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestClusterTest {
  private static final String NODE = TestCluster.PREFIX + "node";

  @TempDir private Path folder;

  private TestCluster newCluster(ApiServer server) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    TestCluster cluster =
        new TestCluster(KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-bench"));
    cluster.create(Kind.NODE, NODE, Document.empty().set(NODE, "metadata", "name"));
    cluster.nodes.awaitSynced();
    TestWait.until(
        "the cache contains the node",
        () -> cluster.nodes.get(ObjectKey.cluster(NODE)).isPresent());
    return cluster;
  }

  @Test
  void cleanUp_ownObjects_removesThem() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        TestCluster cluster = newCluster(server)) {
      cluster.cleanUp();
      assertThat(cluster.nodes.get(ObjectKey.cluster(NODE))).isEmpty();
    }
  }

  @Test
  void cleanUp_serverDown_timesOut() throws Exception {
    ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    try (TestCluster cluster = newCluster(server)) {
      server.close();
      assertThatThrownBy(() -> cluster.cleanUp(Duration.ofMillis(200)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "1 objects of kind Node remain after deletion, the first is " + NODE)
          .hasMessageContaining("check that the API server at");
    }
  }
}
