package dev.mooring.manager.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.audit.AuditSink;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeConnection;
import dev.mooring.model.Kind;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterCachesTest {
  @TempDir private Path folder;

  @Test
  void failures_cachesOfOneResource_areSummed() throws Exception {
    ApiServer api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
    api.close();
    try (KubeConnection connection = KubeConnection.ofFiles(List.of(kubeconfig), "", "test")) {
      SimTime time = new SimTime(); // simulated time does not advance, so nothing is retried
      ClusterCaches caches =
          new ClusterCaches(
              connection, new ManagerActions.Performed(AuditSink.NONE, new SharedInformers()));
      assertThat(caches.failures()).isEmpty();
      caches.fill(new Informer<>(Kind.CLAIM, List.of()), time);
      caches.fill(new Informer<>(Kind.CLAIM_LABELS, List.of()), time);
      caches.fill(new Informer<>(Kind.NODE, List.of()), time);
      try {
        Map<String, Long> expected = Map.of("nodes", 1L, "persistentvolumeclaims", 2L);
        TestWait.until(
            () -> caches.failures() + " instead of " + expected,
            () -> caches.failures().equals(expected));
      } finally {
        caches.stop();
      }
    }
  }
}
