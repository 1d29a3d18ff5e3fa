package dev.mooring.it.contract;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.testkit.ClusterContract;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the fake keeps the door to a server keeps, too. */
@Timeout(60)
class KubeClusterContractTest implements ClusterContract {
  @TempDir private Path folder;
  private ApiServer server;
  private KubeConnection connection;

  @Override
  public Cluster cluster() throws Exception {
    server = ApiServer.start(ApiServer.Config.DEFAULTS);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test");
    SystemTime time = new SystemTime();
    SharedInformers informers = new SharedInformers();
    KubeCluster cluster =
        new KubeCluster(connection, time, KubeCluster.Limits.none(time), informers);
    return new Cluster(cluster, cluster, informers.of(Kind.CLAIM));
  }

  @AfterEach
  void stop() throws IOException {
    connection.close();
    server.close();
  }
}
