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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ports of Kubernetes' integration tests of volumes and claims. The first part of each test name is
 * the name of the ported test. Expectations are phases in the order of watch events. The port omits
 * the cases of {@code TestPersistentVolumeClaimVolumeAttirbutesClassName} that disable the feature
 * in the API server, because Kubernetes 1.36 does not support that.
 */
class KubernetesOwnVolumeTestsTest {
  private static final int OBJECTS = 100;
  private static final String RWO = "ReadWriteOnce";
  private static final String RWX = "ReadWriteMany";

  @TempDir private Path folder;
  private final List<Path> createdFolders = new ArrayList<>();
  private WatchedCluster cluster;
  private RestApi api;

  @BeforeEach
  void start() throws IOException {
    cluster = new WatchedCluster(folder);
    api = cluster.api();
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    for (Path createdFolder : createdFolders) {
      Files.deleteIfExists(createdFolder);
    }
  }

  private String claimNameOf(String volume) throws Exception {
    return JsonBodies.textAt(api.get("PersistentVolume", "", volume), "spec", "claimRef", "name");
  }

  private void createStorageClass(String name, boolean isDefault) throws Exception {
    api.create(
        WatchedCluster.parse(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s", "annotations": {"storageclass.kubernetes.io/is-default-class": "%s"}}, "provisioner": "kubernetes.io/host-path"}
            """
                .formatted(name, isDefault)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void recycler_releasedVolume_becomesAvailable(String compat) throws Exception {
    cluster.startManager(compat);
    api.create(WatchedCluster.volumeObject("pv", "10G", RWO, "Recycle"));
    api.create(WatchedCluster.claimObject("pvc", "5G", RWO, ""));
    cluster.awaitPhase("pv Bound");
    cluster.awaitPhase("pvc Bound");
    cluster.deleteClaim("pvc");
    cluster.awaitPhase("pv Released");
    cluster.awaitCondition("recycler pod exists", () -> !api.list("Pod").isEmpty());
    JsonObject pod = api.list("Pod").getFirst().getAsJsonObject("metadata");
    api.patch(
        "Pod",
        pod.get("namespace").getAsString(),
        pod.get("name").getAsString(),
        "status",
        WatchedCluster.parse("{\"status\": {\"phase\": \"Succeeded\"}}"));
    cluster.awaitCondition(
        "volume is available again",
        () ->
            cluster.phases().lastIndexOf("pv Available") > cluster.phases().indexOf("pv Released"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void deleter_releasedVolume_isDeleted(String compat) throws Exception {
    createdFolders.add(Files.createDirectories(Path.of("/tmp/mooring-own-pv-deleted")));
    cluster.startManager(compat);
    api.create(WatchedCluster.volumeObject("pv-deleted", "10G", RWO, "Delete"));
    api.create(WatchedCluster.claimObject("pvc", "5G", RWO, ""));
    cluster.awaitPhase("pv-deleted Bound");
    cluster.awaitPhase("pvc Bound");
    cluster.deleteClaim("pvc");
    cluster.awaitPhase("pv-deleted deleted");
    assertThat(cluster.phases()).as("event before the deletion").contains("pv-deleted Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void bindRace_volumeReservedForClaim_bindsOnlyThatClaim(String compat) throws Exception {
    cluster.startManager(compat);
    for (int i = 0; i <= OBJECTS; i++) {
      api.create(WatchedCluster.claimObject("race-" + i, "5G", RWO, ""));
    }
    String reservingClaim = "race-" + new Random(1).nextInt(OBJECTS);
    JsonObject volume = WatchedCluster.volumeObject("pv", "10G", RWO, "Retain");
    volume
        .getAsJsonObject("spec")
        .add(
            "claimRef",
            WatchedCluster.parse(
                "{\"namespace\": \"default\", \"name\": \"" + reservingClaim + "\"}"));
    api.create(volume);
    cluster.awaitPhase("pv Bound");
    cluster.awaitCondition(
        "a claim is bound",
        () -> cluster.phases().stream().anyMatch(phase -> phase.matches("race-.* Bound")));
    assertThat(claimNameOf("pv")).isEqualTo(reservingClaim);
    assertThat(cluster.phases().stream().filter(phase -> phase.matches("race-.* Bound")).distinct())
        .containsExactly(reservingClaim + " Bound");
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
  void labelSelectors_claim_getsMatchingVolume(String selector) throws Exception {
    cluster.startManager("kcm");
    api.create(
        WatchedCluster.addLabels(
            WatchedCluster.volumeObject("pv-true", "1G", RWO, "Retain"),
            "{\"foo\": \"valA\", \"bar\": \"\"}"));
    api.create(
        WatchedCluster.addLabels(
            WatchedCluster.volumeObject("pv-false", "1G", RWO, "Retain"),
            "{\"foo\": \"valB\", \"baz\": \"\"}"));
    JsonObject claim = WatchedCluster.claimObject("pvc", "1G", RWO, "");
    claim.getAsJsonObject("spec").add("selector", WatchedCluster.parse(selector));
    api.create(claim);
    cluster.awaitPhase("pvc Bound");
    assertThat(claimNameOf("pv-true")).isEqualTo("pvc");
    assertThat(claimNameOf("pv-false")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void multiVolumes_claim_getsSmallestSufficientVolume(String compat) throws Exception {
    cluster.startManager(compat);
    for (int i = 1; i <= OBJECTS; i++) {
      api.create(WatchedCluster.volumeObject("pv-" + i, i + "G", RWO, "Retain"));
    }
    for (int i = 1; i <= OBJECTS; i++) {
      cluster.awaitPhase("pv-" + i + " Available");
    }
    api.create(WatchedCluster.claimObject("pvc", OBJECTS / 2 + "G", RWO, ""));
    cluster.awaitPhase("pvc Bound");
    cluster.awaitPhase("pv-" + OBJECTS / 2 + " Bound"); // another watch reports this phase
    assertThat(cluster.phases().stream().filter(phase -> phase.matches("pv-.* Bound")).distinct())
        .containsExactly("pv-" + OBJECTS / 2 + " Bound");
    cluster.deleteClaim("pvc");
    cluster.awaitPhase("pv-" + OBJECTS / 2 + " Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"|pv", "gold|pv-gold", "gold pv2-gold|pv2-gold"})
  void volumeAttributesClassName_claim_getsVolumeOfClass(String row) throws Exception {
    cluster.startManager("kcm");
    String[] classAndVolume = row.split("\\|")[0].split(" ");
    for (String name : List.of("pv", "pv-gold", "pv2-gold", "pv-silver")) {
      JsonObject volume = WatchedCluster.volumeObject(name, "1G", RWO, "Retain");
      JsonObject spec = volume.getAsJsonObject("spec");
      spec.remove("hostPath");
      spec.add(
          "csi",
          WatchedCluster.parse(
              "{\"driver\": \"d.example.com\", \"volumeHandle\": \"" + name + "\"}"));
      if (name.contains("-")) {
        spec.addProperty("volumeAttributesClassName", name.substring(name.indexOf('-') + 1));
      }
      if (classAndVolume.length > 1 || !name.equals("pv2-gold")) {
        api.create(volume);
      }
    }
    JsonObject claim = WatchedCluster.claimObject("pvc", "1G", RWO, "");
    if (!classAndVolume[0].isEmpty()) {
      claim.getAsJsonObject("spec").addProperty("volumeAttributesClassName", classAndVolume[0]);
    }
    if (classAndVolume.length > 1) {
      claim.getAsJsonObject("spec").addProperty("volumeName", classAndVolume[1]);
    }
    api.create(claim);
    cluster.awaitPhase("pvc Bound");
    assertThat(claimNameOf(row.split("\\|")[1])).isEqualTo("pvc");
    cluster.awaitPhase(row.split("\\|")[1] + " Bound"); // another watch reports this phase
    assertThat(cluster.phases().stream().filter(phase -> phase.matches("pv.?.* Bound")).distinct())
        .containsExactlyInAnyOrder(row.split("\\|")[1] + " Bound", "pvc Bound");
  }

  /** A client edits volumes and claims throughout the test. */
  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void multiVolumesAndClaims_editedConcurrently_areAllBound(String compat) throws Exception {
    cluster.startManager(compat);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.volumeObject("pv-" + i, "1G", RWO, "Retain"));
    }
    for (int i = 0; i < OBJECTS; i++) {
      cluster.awaitPhase("pv-" + i + " Available");
    }
    Random random = new Random(1);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.claimObject("pvc-" + i, "1G", RWO, ""));
      String patch = "{\"metadata\": {\"annotations\": {\"edited\": \"" + i + "\"}}}";
      api.patch(
          "PersistentVolume", "", "pv-" + random.nextInt(OBJECTS), "", WatchedCluster.parse(patch));
      String editedClaim = "pvc-" + random.nextInt(i + 1);
      api.patch("PersistentVolumeClaim", "default", editedClaim, "", WatchedCluster.parse(patch));
    }
    for (int i = 0; i < OBJECTS; i++) {
      cluster.awaitPhase("pvc-" + i + " Bound");
      cluster.awaitPhase("pv-" + i + " Bound");
    }
  }

  /**
   * The binder must not release a volume or mark a claim Lost, although the annotations of
   * completed bindings are missing.
   */
  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void controllerStartup_boundPairs_stayBound(String compat) throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      JsonObject claim = WatchedCluster.claimObject("pvc-" + i, "1G", RWO, "");
      claim.getAsJsonObject("spec").addProperty("volumeName", "pv-" + i);
      claim.add("status", WatchedCluster.parse("{\"phase\": \"Bound\"}"));
      String uid = JsonBodies.textAt(api.create(claim), "metadata", "uid");
      JsonObject volume = WatchedCluster.volumeObject("pv-" + i, "1G", RWO, "Retain");
      volume
          .getAsJsonObject("spec")
          .add(
              "claimRef",
              WatchedCluster.parse(
                  "{\"kind\": \"PersistentVolumeClaim\", \"namespace\": \"default\", \"name\": \"pvc-%d\", \"uid\": \"%s\"}"
                      .formatted(i, uid)));
      volume.add("status", WatchedCluster.parse("{\"phase\": \"Bound\"}"));
      api.create(volume);
      cluster.awaitPhase("pvc-" + i + " Bound");
      cluster.awaitPhase("pv-" + i + " Bound");
    }
    cluster.phases().clear();
    cluster.startManager(compat);
    cluster.awaitCondition(
        "every claim is fully bound",
        () ->
            cluster.phases().stream().filter(phase -> phase.startsWith("pvc-")).distinct().count()
                == OBJECTS);
    assertThat(cluster.phases()).allMatch(phase -> phase.endsWith(" Bound"));
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(claimNameOf("pv-" + i)).isEqualTo("pvc-" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void provisionMultiClaims_claims_areBoundAndVolumesDeleted(String compat) throws Exception {
    createStorageClass("gold", false);
    cluster.startManager(compat);
    for (int i = 0; i < OBJECTS; i++) {
      api.create(WatchedCluster.claimObject("pvc-" + i, "1G", RWO, "gold"));
    }
    for (int i = 0; i < OBJECTS; i++) {
      cluster.awaitPhase("pvc-" + i + " Bound");
    }
    List<JsonObject> volumes = api.list("PersistentVolume");
    assertThat(volumes)
        .hasSize(OBJECTS)
        .allMatch(volume -> JsonBodies.textAt(volume, "status", "phase").equals("Bound"));
    for (int i = 0; i < OBJECTS; i++) {
      cluster.deleteClaim("pvc-" + i);
    }
    cluster.awaitCondition("all volumes are deleted", () -> api.list("PersistentVolume").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void differentAccessModes_claim_getsVolumeWithMode(String compat) throws Exception {
    cluster.startManager(compat);
    api.create(WatchedCluster.volumeObject("pv-rwm", "10G", RWX, "Retain"));
    api.create(WatchedCluster.volumeObject("pv-rwo", "10G", RWO, "Retain"));
    api.create(WatchedCluster.claimObject("pvc", "5G", RWX, ""));
    cluster.awaitPhase("pvc Bound");
    assertThat(claimNameOf("pv-rwo")).isEmpty();
    assertThat(claimNameOf("pv-rwm")).isEqualTo("pvc");
    cluster.deleteClaim("pvc");
    cluster.awaitPhase("pv-rwm Released");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void retroactiveStorageClass_newDefaultClass_isAssigned(String compat) throws Exception {
    createStorageClass("silver", false);
    cluster.startManager(compat);
    api.create(WatchedCluster.volumeObject("pv-1", "5G", RWX, "Retain"));
    api.create(WatchedCluster.claimObject("pvc-1", "5G", RWX, null));
    cluster.awaitPhase("pvc-1 Bound");
    assertThat(claimNameOf("pv-1")).isEqualTo("pvc-1");
    api.create(WatchedCluster.claimObject("pvc-noclass", "5G", RWX, null));
    createStorageClass("gold", true);
    cluster.awaitPhase("pvc-noclass Bound");
    assertThat(classNameOf("pvc-noclass")).isEqualTo("gold");
  }

  private String classNameOf(String claim) throws Exception {
    return JsonBodies.textAt(
        api.get("PersistentVolumeClaim", "default", claim), "spec", "storageClassName");
  }
}
