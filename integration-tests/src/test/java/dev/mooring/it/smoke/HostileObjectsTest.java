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
import org.junit.jupiter.api.io.TempDir;

/** Checks that malformed objects do not prevent the binding of other objects. */
class HostileObjectsTest {
  private static final List<String> MALFORMED_OBJECTS =
      List.of(
          volumeJson("no-claim", "1Gi", "\"claimRef\": {}"),
          volumeJson("half-a-claim", "1Gi", "\"claimRef\": {\"name\": \"x\"}"),
          volumeJson("huge", "9223372036854775807Ei", "\"mountOptions\": []"),
          volumeJson("tiny", "1m", "\"mountOptions\": []"),
          volumeJson(
              "odd",
              "1Gi",
              "\"persistentVolumeReclaimPolicy\": \"Retain\", \"noSuchField\": {\"a\": [1]}"),
          claimJson("huge", "8E", ""),
          claimJson("heavy", "1Gi", ", \"annotations\": {\"a\": \"" + "x".repeat(250_000) + "\"}"),
          claimJson(
              "nested", "1Gi", ", \"annotations\": {\"pv.kubernetes.io/bind-completed\": \"{{{\"}"),
          claimJson("lost", "1Gi", ", \"labels\": {\"a\": \"b\"}")
              .replace("\"accessModes\"", "\"volumeName\": \"no-such-volume\", \"accessModes\""));

  @TempDir private Path folder;

  private static String volumeJson(String name, String size, String specMembers) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "%s"}, "accessModes": ["ReadWriteMany"], "storageClassName": "odd", "nfs": {"server": "n", "path": "/"}, %s}}
    """
        .formatted(name, size, specMembers);
  }

  private static String claimJson(String name, String size, String metadataMembers) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"%s}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "%s"}}}}
    """
        .formatted(name, metadataMembers, size);
  }

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static int createMalformedObjects(RestApi api) throws IOException, InterruptedException {
    int createdCount = 0;
    for (String json : MALFORMED_OBJECTS) {
      try {
        api.create(parse(json));
        createdCount++;
      } catch (RestApi.ErrorResponse error) {
        assertThat(error.code()).as(error.getMessage()).isIn(400, 413, 422);
      }
    }
    return createdCount;
  }

  @Test
  void malformedObjects_otherClaims_areBound() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      RestApi api = new RestApi(server.url(), "");
      assertThat(createMalformedObjects(api)).as("server admits some objects").isGreaterThan(4);
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=off", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        api.create(parse(volumeJson("good", "1Gi", "\"mountOptions\": []").replace("odd", "fine")));
        api.create(
            parse(
                claimJson("good", "1Gi", "")
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
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    return api.get("PersistentVolumeClaim", "default", claim)
        .getAsJsonObject("status")
        .get("phase")
        .getAsString();
  }
}
