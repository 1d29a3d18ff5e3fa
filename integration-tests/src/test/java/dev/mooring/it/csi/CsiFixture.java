package dev.mooring.it.csi;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.VolumeStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with a CSI driver that the packaged bridge controls. */
abstract class CsiFixture {
  @TempDir Path folder;
  CsiCluster cluster;
  VolumeStore store;
  ControllerManager manager;
  private final int nodeCount;
  private final boolean zones;

  CsiFixture() {
    this(2, true);
  }

  /** Creates the nodes, each in a separate zone if {@code zones} is set. */
  CsiFixture(int nodeCount, boolean zones) {
    this.nodeCount = nodeCount;
    this.zones = zones;
  }

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new CsiCluster(folder, nodeCount, zones);
    store = cluster.store();
  }

  void startManager(String... extraFlags) throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--endpoints=127.0.0.1:0",
                "--leader-elect=false",
                cluster.endpointFlag(),
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"));
    flags.addAll(List.of(extraFlags));
    manager = cluster.createManager(flags);
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    cluster.close();
  }

  /** Creates a claim with a snapshot as its data source. */
  void restoreSnapshot(String claim, String snapshot) throws Exception {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "%s"}}}
        """
            .formatted(claim, snapshot));
  }

  String fetchMetrics() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + manager.port() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
