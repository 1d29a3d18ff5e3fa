package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ports of Kubernetes' integration tests of volumes and claims with their expectations: phases in
 * the order in which a watch shows them. The port omits the cases of {@code
 * TestPersistentVolumeClaimVolumeAttirbutesClassName} that disable the feature in the API server,
 * which 1.36 does not support.
 */
@Timeout(300)
class KubernetesOwnVolumeTestsTest {
  private static final int OBJECTS = 100;
  private static final String RWO = "ReadWriteOnce";
  private static final String RWX = "ReadWriteMany";

  @TempDir private Path folder;
  private final List<Path> made = new ArrayList<>();
  private WatchedCluster play;
  private RestApi api;

  @BeforeEach
  void start() throws IOException {
    play = new WatchedCluster(folder);
    api = play.api();
  }

  @AfterEach
  void stop() throws Exception {
    play.close();
    for (Path one : made) {
      Files.deleteIfExists(one);
    }
  }

  private String boundTo(String volume) throws Exception {
    return JsonBodies.textAt(api.get("PersistentVolume", "", volume), "spec", "claimRef", "name");
  }

  private void storageClass(String name, boolean isDefault) throws Exception {
    api.create(
        WatchedCluster.parsed(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s", "annotations": {"storageclass.kubernetes.io/is-default-class": "%s"}}, "provisioner": "kubernetes.io/host-path"}
            """
                .formatted(name, isDefault)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void recycler(String compat) throws Exception {
    play.run(compat);
    api.create(WatchedCluster.volume("pv", "10G", RWO, "Recycle"));
    api.create(WatchedCluster.claim("pvc", "5G", RWO, ""));
    play.untilSeen("pv Bound");
    play.untilSeen("pvc Bound");
    play.delete("pvc");
    play.untilSeen("pv Released");
    play.until("recycler pod", () -> !api.list("Pod").isEmpty());
    JsonObject pod = api.list("Pod").getFirst().getAsJsonObject("metadata");
    api.patch(
        "Pod",
        pod.get("namespace").getAsString(),
        pod.get("name").getAsString(),
        "status",
        WatchedCluster.parsed("{\"status\": {\"phase\": \"Succeeded\"}}"));
    play.until(
        "free again",
        () -> play.seen().lastIndexOf("pv Available") > play.seen().indexOf("pv Released"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void deleter(String compat) throws Exception {
    made.add(Files.createDirectories(Path.of("/tmp/mooring-own-pv-deleted")));
    play.run(compat);
    api.create(WatchedCluster.volume("pv-deleted", "10G", RWO, "Delete"));
    api.create(WatchedCluster.claim("pvc", "5G", RWO, ""));
    play.untilSeen("pv-deleted Bound");
    play.untilSeen("pvc Bound");
    play.delete("pvc");
    play.untilSeen("pv-deleted deleted");
    assertThat(play.seen()).as("event before the deletion").contains("pv-deleted Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void bindRace(String compat) throws Exception {
    play.run(compat);
    for (int i = 0; i <= OBJECTS; i++) {
      api.create(WatchedCluster.claim("race-" + i, "5G", RWO, ""));
    }
    String chosen = "race-" + new Random(1).nextInt(OBJECTS);
    JsonObject volume = WatchedCluster.volume("pv", "10G", RWO, "Retain");
    volume
        .getAsJsonObject("spec")
        .add(
            "claimRef",
            WatchedCluster.parsed("{\"namespace\": \"default\", \"name\": \"" + chosen + "\"}"));
    api.create(volume);
    play.untilSeen("pv Bound");
    play.until(
        "a claim is bound", () -> play.seen().stream().anyMatch(s -> s.matches("race-.* Bound")));
    assertThat(boundTo("pv")).isEqualTo(chosen);
    assertThat(play.seen().stream().filter(s -> s.matches("race-.* Bound")).distinct())
        .containsExactly(chosen + " Bound");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"matchLabels\": {\"foo\": \"valA\"}}",
        """
        {"matchExpressions": [
          {"key": "foo", "operator": "In", "values": ["valA"]},
          {"key": "foo", "operator": "NotIn", "values": ["valB"]},
          {"key": "bar", "operator": "Exists"},
          {"key": "baz", "operator": "DoesNotExist"}]}
        """
      })
  void labelSelectors(String selector) throws Exception {
    play.run("kcm");
    api.create(
        WatchedCluster.labelled(
            WatchedCluster.volume("pv-true", "1G", RWO, "Retain"),
            "{\"foo\": \"valA\", \"bar\": \"\"}"));
    api.create(
        WatchedCluster.labelled(
            WatchedCluster.volume("pv-false", "1G", RWO, "Retain"),
            "{\"foo\": \"valB\", \"baz\": \"\"}"));
    JsonObject claim = WatchedCluster.claim("pvc", "1G", RWO, "");
    claim.getAsJsonObject("spec").add("selector", WatchedCluster.parsed(selector));
    api.create(claim);
    play.untilSeen("pvc Bound");
    assertThat(boundTo("pv-true")).isEqualTo("pvc");
    assertThat(boundTo("pv-false")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void multiVolumes(String compat) throws Exception {
    play.run(compat);
    for (int i = 1; i <= OBJECTS; i++) {
      api.create(WatchedCluster.volume("pv-" + i, i + "G", RWO, "Retain"));
    }
    for (int i = 1; i <= OBJECTS; i++) {
      play.untilSeen("pv-" + i + " Available");
    }
    api.create(WatchedCluster.claim("pvc", OBJECTS / 2 + "G", RWO, ""));
    play.untilSeen("pvc Bound");
    play.untilSeen("pv-" + OBJECTS / 2 + " Bound"); // this phase comes from another watch
    assertThat(play.seen().stream().filter(s -> s.matches("pv-.* Bound")).distinct())
        .containsExactly("pv-" + OBJECTS / 2 + " Bound");
    play.delete("pvc");
    play.untilSeen("pv-" + OBJECTS / 2 + " Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"|pv", "gold|pv-gold", "gold pv2-gold|pv2-gold"})
  void volumeAttributesClassName(String asks) throws Exception {
    play.run("kcm");
    String[] asked = asks.split("\\|")[0].split(" ");
    for (String name : List.of("pv", "pv-gold", "pv2-gold", "pv-silver")) {
      JsonObject volume = WatchedCluster.volume(name, "1G", RWO, "Retain");
      JsonObject spec = volume.getAsJsonObject("spec");
      spec.remove("hostPath");
      spec.add(
          "csi",
          WatchedCluster.parsed(
              "{\"driver\": \"d.example.com\", \"volumeHandle\": \"" + name + "\"}"));
      if (name.contains("-")) {
        spec.addProperty("volumeAttributesClassName", name.substring(name.indexOf('-') + 1));
      }
      if (asked.length > 1 || !name.equals("pv2-gold")) {
        api.create(volume);
      }
    }
    JsonObject claim = WatchedCluster.claim("pvc", "1G", RWO, "");
    if (!asked[0].isEmpty()) {
      claim.getAsJsonObject("spec").addProperty("volumeAttributesClassName", asked[0]);
    }
    if (asked.length > 1) {
      claim.getAsJsonObject("spec").addProperty("volumeName", asked[1]);
    }
    api.create(claim);
    play.untilSeen("pvc Bound");
    assertThat(boundTo(asks.split("\\|")[1])).isEqualTo("pvc");
    play.untilSeen(asks.split("\\|")[1] + " Bound"); // this phase comes from another watch
    assertThat(play.seen().stream().filter(s -> s.matches("pv.?.* Bound")).distinct())
        .containsExactlyInAnyOrder(asks.split("\\|")[1] + " Bound", "pvc Bound");
  }

  /** A client edits volumes and claims throughout the test. */
  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void multiVolumesAndClaims(String compat) throws Exception {
    play.run(compat);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.volume("pv-" + i, "1G", RWO, "Retain"));
    }
    for (int i = 0; i < OBJECTS; i++) {
      play.untilSeen("pv-" + i + " Available");
    }
    Random random = new Random(1);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.claim("pvc-" + i, "1G", RWO, ""));
      String edit = "{\"metadata\": {\"annotations\": {\"edited\": \"" + i + "\"}}}";
      api.patch(
          "PersistentVolume", "", "pv-" + random.nextInt(OBJECTS), "", WatchedCluster.parsed(edit));
      String edited = "pvc-" + random.nextInt(i + 1);
      api.patch("PersistentVolumeClaim", "default", edited, "", WatchedCluster.parsed(edit));
    }
    for (int i = 0; i < OBJECTS; i++) {
      play.untilSeen("pvc-" + i + " Bound");
      play.untilSeen("pv-" + i + " Bound");
    }
  }

  /**
   * The binder must neither release nor lose a volume, although the annotations for completed
   * bindings are missing.
   */
  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void controllerStartup(String compat) throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      JsonObject claim = WatchedCluster.claim("pvc-" + i, "1G", RWO, "");
      claim.getAsJsonObject("spec").addProperty("volumeName", "pv-" + i);
      claim.add("status", WatchedCluster.parsed("{\"phase\": \"Bound\"}"));
      String uid = JsonBodies.textAt(api.create(claim), "metadata", "uid");
      JsonObject volume = WatchedCluster.volume("pv-" + i, "1G", RWO, "Retain");
      volume
          .getAsJsonObject("spec")
          .add(
              "claimRef",
              WatchedCluster.parsed(
                  "{\"kind\": \"PersistentVolumeClaim\", \"namespace\": \"default\", \"name\": \"pvc-%d\", \"uid\": \"%s\"}"
                      .formatted(i, uid)));
      volume.add("status", WatchedCluster.parsed("{\"phase\": \"Bound\"}"));
      api.create(volume);
      play.untilSeen("pvc-" + i + " Bound");
      play.untilSeen("pv-" + i + " Bound");
    }
    play.seen().clear();
    play.run(compat);
    play.until(
        "every claim is fully bound",
        () -> play.seen().stream().filter(s -> s.startsWith("pvc-")).distinct().count() == OBJECTS);
    assertThat(play.seen()).allMatch(s -> s.endsWith(" Bound"));
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(boundTo("pv-" + i)).isEqualTo("pvc-" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void provisionMultiClaims(String compat) throws Exception {
    storageClass("gold", false);
    play.run(compat);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.claim("pvc-" + i, "1G", RWO, "gold"));
    }
    for (int i = 0; i < OBJECTS; i++) {
      play.untilSeen("pvc-" + i + " Bound");
    }
    List<JsonObject> volumes = api.list("PersistentVolume");
    assertThat(volumes)
        .hasSize(OBJECTS)
        .allMatch(v -> JsonBodies.textAt(v, "status", "phase").equals("Bound"));
    for (int i = 0; i < OBJECTS; i++) {
      play.delete("pvc-" + i);
    }
    play.until("all volumes are deleted", () -> api.list("PersistentVolume").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void volumesOfDifferentAccessModes(String compat) throws Exception {
    play.run(compat);
    api.create(WatchedCluster.volume("pv-rwm", "10G", RWX, "Retain"));
    api.create(WatchedCluster.volume("pv-rwo", "10G", RWO, "Retain"));
    api.create(WatchedCluster.claim("pvc", "5G", RWX, ""));
    play.untilSeen("pvc Bound");
    assertThat(boundTo("pv-rwo")).isEmpty();
    assertThat(boundTo("pv-rwm")).isEqualTo("pvc");
    play.delete("pvc");
    play.untilSeen("pv-rwm Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void retroactiveStorageClass(String compat) throws Exception {
    storageClass("silver", false);
    play.run(compat);
    api.create(WatchedCluster.volume("pv-1", "5G", RWX, "Retain"));
    api.create(WatchedCluster.claim("pvc-1", "5G", RWX, null));
    play.untilSeen("pvc-1 Bound");
    assertThat(boundTo("pv-1")).isEqualTo("pvc-1");
    api.create(WatchedCluster.claim("pvc-noclass", "5G", RWX, null));
    storageClass("gold", true);
    play.untilSeen("pvc-noclass Bound");
    assertThat(classOf("pvc-noclass")).isEqualTo("gold");
  }

  private String classOf(String claim) throws Exception {
    return JsonBodies.textAt(
        api.get("PersistentVolumeClaim", "default", claim), "spec", "storageClassName");
  }
}
