package dev.mooring.it.smoke;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.Resources;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stops deletions with the Lease's annotation while Mooring runs. */
class StoredHoldTest {
  @TempDir private Path folder;

  @Test
  void annotation_setWhileMooringRuns_holdsDeletions() throws Exception {
    SharedCluster cluster = SharedCluster.withoutManager(folder);
    try {
      ControllerManager manager =
          cluster.startManager(
              Resources.plugins(), "--endpoints=127.0.0.1:0", "--leader-elect=true");
      cluster
          .handlers()
          .update(
              KindCatalogue.LEASES,
              "kube-system",
              "mooring-controller-manager",
              WriteOptions.PLAIN,
              lease -> {
                JsonBodies.getOrAddChild(lease, "metadata", "annotations")
                    .addProperty("mooring.dev/deletion-brake", "RESTORE 0");
                return lease;
              });
      cluster.awaitCondition(
          "deletions are held",
          () ->
              MetricsPort.fetchText(manager.port(), "/metrics")
                  .lines()
                  .anyMatch("mooring_deletions_held 1.0"::equals));
    } finally {
      cluster.close();
    }
  }
}
