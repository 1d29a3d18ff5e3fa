package dev.mooring.it.smoke;

import dev.mooring.it.Resources;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a replica that cannot create its Lease. */
class RefusedLeaseTest {
  @TempDir private Path folder;

  @Test
  void replica_namespaceOfLeaseIsMissing_isNotReady() throws Exception {
    SharedCluster cluster = SharedCluster.withoutManager(folder);
    int port = MetricsPort.findFree();
    Thread replica = Thread.ofVirtual().start(() -> standBy(cluster, port));
    try {
      cluster.awaitCondition(
          "the reason is shown",
          () ->
              MetricsPort.fetchText(port, "/readyz").contains("namespace missing does not exist"));
    } finally {
      replica.interrupt();
      replica.join();
      cluster.close();
    }
  }

  private static void standBy(SharedCluster cluster, int port) {
    try {
      cluster.startManager(
          Resources.plugins(),
          "--endpoints=127.0.0.1:" + port,
          "--leader-elect=true",
          "--leader-elect-resource-namespace=missing");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
