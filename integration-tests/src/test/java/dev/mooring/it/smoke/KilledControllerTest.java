package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the controller-manager with SIGKILL at random moments while it binds, provisions and
 * deletes volumes. Checks that in the end every claim is bound and every unused volume is deleted.
 * {@code -Dmooring.kills=50} sets the number of kills.
 */
class KilledControllerTest {
  private static final int KILLS = Integer.getInteger("mooring.kills", 3);
  private static final long SEED = Long.getLong("mooring.kills.seed", 1);

  /** Each round creates five claims and deletes two of them. */
  private static final int REMAINING_CLAIMS_PER_ROUND = 3;

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final List<String> deletedUids = new ArrayList<>();
  private int rounds;
  private RestApi api;

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static String phase(JsonObject object) {
    return object.getAsJsonObject("status").get("phase").getAsString();
  }

  private static String uid(JsonObject object) {
    return object.getAsJsonObject("metadata").get("uid").getAsString();
  }

  private JavaProcess startController() throws Exception {
    return JavaProcess.startMooring(
        "run",
        "--mode=replace",
        "--kubeconfig",
        folder.resolve("kubeconfig").toString(),
        "--endpoints=off",
        "--leader-elect=false",
        "--enable-hostpath-provisioner=true",
        "--plugin-setting=nfs-exports=nfs.example.com:/srv=" + exportFolder(),
        "--plugin-setting=nfs-require-mount=false",
        "--provisioner-retry-interval-start=50ms",
        "--deletion-brake-limit=0", // the mass deletion would trip the brake
        "--plugins",
        Resources.plugins().toString());
  }

  private Path exportFolder() {
    return folder.resolve("export");
  }

  private void createObjects() throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (int i = 0; i < 10; i++) {
      int round = ++rounds;
      api.create(
          parse(
              """
              {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v-%1$d"}, "spec": {"capacity": {"storage": "%1$dMi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "static", "nfs": {"server": "n", "path": "/"}}}
              """
                  .formatted(round)));
      createClaim("c-" + round, "static", round);
      createClaim("d-" + round, "made", round);
      createClaim("gone-" + round, "made", round);
      createClaim("n-" + round, "nfs", round);
      createClaim("gone-n-" + round, "nfs", round);
    }
  }

  private void createClaim(String name, String className, int size)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "%dMi"}}}}
            """
                .formatted(name, className, size)));
  }

  /**
   * Deletes only bound claims. If a claim is deleted before its volume is saved, a kill can lose
   * the volume.
   */
  private void deleteBoundClaims() throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (JsonObject claim : api.list("PersistentVolumeClaim")) {
      String name = claim.getAsJsonObject("metadata").get("name").getAsString();
      if (name.startsWith("gone-") && phase(claim).equals("Bound") && !isDeleting(claim)) {
        api.delete("PersistentVolumeClaim", "default", name, -1);
        deletedUids.add(uid(claim));
      }
    }
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void controller_killedUnderLoad_bindsClaimsWithoutLeaks() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      api = RestApi.of(server, "");
      Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      api.create(
          parse(
              """
              {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "made"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete"}
              """));
      api.create(
          parse(
              """
              {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "nfs"}, "provisioner": "k8s-sigs.io/nfs-subdir-external-provisioner", "reclaimPolicy": "Delete", "parameters": {"onDelete": "delete", "pathPattern": "${.PVC.namespace}/${.PVC.name}"}}
              """));
      Files.createDirectory(exportFolder());
      for (int kill = 0; kill < KILLS; kill++) {
        createObjects();
        try (JavaProcess process = startController()) {
          process.awaitLine(line -> line.contains(" against http"));
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
          deleteBoundClaims();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(50)));
        } // closing kills the process
      }
      try (JavaProcess process = startController()) {
        TestWait.until(
            () ->
                "unfinished: "
                    + describeUnfinishedObjects()
                    + "\n"
                    + String.join("\n", process.output()),
            () -> {
              deleteBoundClaims();
              return hasConverged();
            });
        checkBindings();
        checkExport();
        assertThat(process.output()).noneMatch(line -> line.contains("failed with a bug"));
      } finally {
        for (JsonObject volume : api.list("PersistentVolume")) {
          if (volume.getAsJsonObject("spec").has("hostPath")) {
            Files.deleteIfExists(hostPath(volume));
          }
        }
      }
    }
  }

  private boolean hasConverged() throws RestApi.ErrorResponse, IOException, InterruptedException {
    List<JsonObject> claims = api.list("PersistentVolumeClaim");
    return claims.size() == REMAINING_CLAIMS_PER_ROUND * rounds
        && claims.stream().allMatch(claim -> phase(claim).equals("Bound"))
        && api.list("PersistentVolume").size() == REMAINING_CLAIMS_PER_ROUND * rounds;
  }

  private String describeUnfinishedObjects() {
    try {
      List<String> descriptions = new ArrayList<>();
      for (String kind : List.of("PersistentVolumeClaim", "PersistentVolume")) {
        List<JsonObject> objects = api.list(kind);
        descriptions.add(
            objects.size() + " of " + REMAINING_CLAIMS_PER_ROUND * rounds + " " + kind);
        objects.stream()
            .filter(object -> !phase(object).equals("Bound") || isDeleting(object))
            .limit(5)
            .forEach(object -> descriptions.add(object.toString()));
      }
      return String.join("\n", descriptions);
    } catch (RestApi.ErrorResponse | IOException | InterruptedException e) {
      return "unreachable: " + e;
    }
  }

  private static boolean isDeleting(JsonObject object) {
    return object.getAsJsonObject("metadata").has("deletionTimestamp");
  }

  /** Checks that volumes and directories of the export correspond. */
  private void checkExport() throws RestApi.ErrorResponse, IOException, InterruptedException {
    List<String> volumes = new ArrayList<>();
    for (JsonObject volume : api.list("PersistentVolume")) {
      JsonObject spec = volume.getAsJsonObject("spec");
      if (spec.has("nfs")
          && spec.getAsJsonObject("nfs").get("server").getAsString().contains(".")) {
        volumes.add(spec.getAsJsonObject("nfs").get("path").getAsString());
      }
    }
    assertThat(volumes).hasSize(rounds);
    try (Stream<Path> directories = Files.list(exportFolder().resolve("default"))) {
      assertThat(directories.map(directory -> "/srv/default/" + directory.getFileName()))
          .containsExactlyInAnyOrderElementsOf(volumes);
    }
    for (String index : List.of("volumes", "paths")) {
      try (Stream<Path> entries = Files.list(exportFolder().resolve(".mooring").resolve(index))) {
        assertThat(entries).as(index).hasSize(rounds);
      }
    }
    try (Stream<Path> trash = Files.list(exportFolder().resolve(".mooring/trash"))) {
      assertThat(trash).isEmpty();
    }
  }

  private static Path hostPath(JsonObject volume) {
    return Path.of(
        volume.getAsJsonObject("spec").getAsJsonObject("hostPath").get("path").getAsString());
  }

  private void checkBindings() throws RestApi.ErrorResponse, IOException, InterruptedException {
    Map<String, JsonObject> volumes = new HashMap<>();
    for (JsonObject volume : api.list("PersistentVolume")) {
      volumes.put(volume.getAsJsonObject("metadata").get("name").getAsString(), volume);
      assertThat(phase(volume)).isEqualTo("Bound");
    }
    for (JsonObject claim : api.list("PersistentVolumeClaim")) {
      String name = claim.getAsJsonObject("spec").get("volumeName").getAsString();
      JsonObject volume = volumes.remove(name);
      assertThat(volume).as("%s has its own volume", claim).isNotNull();
      assertThat(
              volume.getAsJsonObject("spec").getAsJsonObject("claimRef").get("uid").getAsString())
          .isEqualTo(uid(claim));
      if (volume.getAsJsonObject("spec").has("hostPath")) {
        assertThat(hostPath(volume)).isDirectory();
      }
    }
    for (String uid : deletedUids) {
      UUID directory = UUID.nameUUIDFromBytes(("pvc-" + uid).getBytes(StandardCharsets.UTF_8));
      assertThat(
              Files.exists(
                  Path.of("/tmp/hostpath_pv", directory.toString()), LinkOption.NOFOLLOW_LINKS))
          .as("volumes of deleted claims are deleted")
          .isFalse();
    }
  }
}
