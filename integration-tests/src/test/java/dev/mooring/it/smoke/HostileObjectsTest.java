package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that malformed objects only prevent their own binding. */
class HostileObjectsTest {
  private static final List<String> NONSENSE =
      List.of(
          volume("no-claim", "1Gi", "\"claimRef\": {}"),
          volume("half-a-claim", "1Gi", "\"claimRef\": {\"name\": \"x\"}"),
          volume("huge", "9223372036854775807Ei", "\"mountOptions\": []"),
          volume("tiny", "1m", "\"mountOptions\": []"),
          volume(
              "odd",
              "1Gi",
              "\"persistentVolumeReclaimPolicy\": \"Retain\", \"noSuchField\": {\"a\": [1]}"),
          claim("huge", "8E", ""),
          claim("heavy", "1Gi", ", \"annotations\": {\"a\": \"" + "x".repeat(250_000) + "\"}"),
          claim(
              "nested", "1Gi", ", \"annotations\": {\"pv.kubernetes.io/bind-completed\": \"{{{\"}"),
          claim("lost", "1Gi", ", \"labels\": {\"a\": \"b\"}")
              .replace("\"accessModes\"", "\"volumeName\": \"no-such-volume\", \"accessModes\""));

  @TempDir private Path folder;

  private static String volume(String name, String size, String more) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "%s"}, "accessModes": ["ReadWriteMany"], "storageClassName": "odd", "nfs": {"server": "n", "path": "/"}, %s}}
    """
        .formatted(name, size, more);
  }

  private static String claim(String name, String size, String more) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"%s}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%s"}}}}
    """
        .formatted(name, more, size);
  }

  private static JsonObject parsed(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static int created(RestApi api) throws IOException, InterruptedException {
    int created = 0;
    for (String json : NONSENSE) {
      try {
        api.create(parsed(json));
        created++;
      } catch (RestApi.Refused refused) {
        assertThat(refused.code()).as(refused.getMessage()).isIn(400, 413, 422);
      }
    }
    return created;
  }

  @Test
  @Timeout(300)
  void malformedObjects_otherClaims_areBound() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      RestApi api = new RestApi(server.url(), "");
      assertThat(created(api)).as("server admits some objects").isGreaterThan(4);
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=off", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        api.create(parsed(volume("good", "1Gi", "\"mountOptions\": []").replace("odd", "fine")));
        api.create(
            parsed(
                claim("good", "1Gi", "")
                    .replace("\"s\"", "\"fine\"")
                    .replace("ReadWriteOnce", "ReadWriteMany")));
        TestWait.until(
            "claim is bound and controllers are idle",
            () -> phase(api, "good").equals("Bound") && manager.isIdle());
        assertThat(phase(api, "lost")).isEqualTo("Pending");
        assertThat(phase(api, "huge")).isEqualTo("Pending");
        long writes = manager.cluster().writes();
        assertThat(manager.isIdle()).as("no hot retries").isTrue();
        assertThat(manager.cluster().writes()).isEqualTo(writes);
      } finally {
        manager.stop();
      }
    }
  }

  private static String phase(RestApi api, String claim)
      throws RestApi.Refused, IOException, InterruptedException {
    return api.get("PersistentVolumeClaim", "default", claim)
        .getAsJsonObject("status")
        .get("phase")
        .getAsString();
  }
}
