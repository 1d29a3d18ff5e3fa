package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests pods with volumes on simulated nodes: bind, attach, run, move, and metrics. */
class AttachTest {
  private static final int PODS = 30;

  @TempDir private Path folder;

  private static void create(ObjectHandlers handlers, ResourceType type, String json)
      throws StatusException {
    handlers.create(
        type, "default", JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private static boolean hasNoAttachedVolume(StoredObject node) {
    return JsonBodies.valueAt(node.tree(), "status", "volumesAttached") == null;
  }

  private static void createPod(ObjectHandlers handlers, String name, int volume)
      throws StatusException {
    create(
        handlers,
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c-%d"}}]}}
        """
            .formatted(name, volume));
  }

  private static long countRunningPods(ObjectHandlers handlers) {
    return handlers.store(KindCatalogue.PODS).list("").objects().stream()
        .filter(pod -> JsonBodies.textAt(pod.tree(), "status", "phase").equals("Running"))
        .count();
  }

  private static String fetchMetrics(int port) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void pods_startedAndDeleted_attachAndDetachVolumes() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        NodeSimulator nodes = NodeSimulator.start(server.handlers(), 3)) {
      assertThat(nodes).isNotNull();
      ObjectHandlers handlers = server.handlers();
      for (int i = 0; i < PODS; i++) {
        create(
            handlers,
            KindCatalogue.VOLUMES,
            """
            {"metadata": {"name": "v-%1$d"}, "spec": {"capacity": {"storage": "%2$dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s", "csi": {"driver": "simulated.mooring.dev", "volumeHandle": "h-%1$d"}}}
            """
                .formatted(i, i + 1));
        create(
            handlers,
            KindCatalogue.CLAIMS,
            """
            {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%dMi"}}}}
            """
                .formatted(i, i + 1));
        createPod(handlers, "p-" + i, i);
      }
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=127.0.0.1:0", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        TestWait.until("all pods run", () -> countRunningPods(handlers) == PODS);
        assertThat(handlers.store(KindCatalogue.ATTACHMENTS).list("").objects()).hasSize(PODS);
        String exposition = fetchMetrics(manager.port());
        assertThat(exposition)
            .contains(
                "attachdetach_controller_total_volumes{plugin_name=\"kubernetes.io/csi:simulated.mooring.dev\",state=\"desired_state_of_world\"} 30.0")
            .contains(
                "attachdetach_controller_total_volumes{plugin_name=\"kubernetes.io/csi:simulated.mooring.dev\",state=\"actual_state_of_world\"} 30.0")
            .contains("storage_count_attachable_volumes_in_use{node=\"node-1\"")
            .contains(
                "storage_operation_duration_seconds_count{migrated=\"false\",operation_name=\"volume_attach\",status=\"success\",volume_plugin=\"kubernetes.io/csi:simulated.mooring.dev\"} 30")
            .contains(
                "attach_detach_controller_attachdetach_controller_forced_detaches{reason=\"timeout\"} 0.0")
            .contains("retroactive_storageclass_total 0.0");
        for (int i = 0; i < PODS; i++) {
          handlers.delete(KindCatalogue.PODS, "default", "p-" + i, WriteOptions.PLAIN);
        }
        TestWait.until(
            "all attachments are deleted",
            () -> handlers.store(KindCatalogue.ATTACHMENTS).list("").objects().isEmpty());
        TestWait.until(
            "no node reports an attached volume",
            () ->
                handlers.store(KindCatalogue.NODES).list("").objects().stream()
                    .allMatch(AttachTest::hasNoAttachedVolume));
        assertThat(manager.cluster().conflicts())
            .as("writes of volumesAttached that conflict with a kubelet's status update")
            .isLessThan(PODS);
      } finally {
        manager.stop();
      }
    }
  }
}
