package dev.mooring.it.contract;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.testkit.KindsContract;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the cluster port of a real server against the contract of the fake port. */
@Timeout(60)
class KubeClusterContractTest implements KindsContract {
  @TempDir private Path folder;
  private ApiServer server;
  private KubeConnection connection;
  private SharedInformers informers;

  @Override
  public Cluster cluster() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    SnapshotResources.install(server.handlers());
    SnapshotResources.installGroups(server.handlers());
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
    SystemTime time = new SystemTime();
    informers = new SharedInformers();
    KubeCluster cluster =
        new KubeCluster(connection, time, KubeCluster.Limits.none(time), informers);
    return new Cluster(cluster, cluster, informers.of(Kind.CLAIM));
  }

  @Override
  public SharedInformers informers() {
    return informers;
  }

  @AfterEach
  void stop() throws IOException {
    connection.close();
    server.close();
  }
}
