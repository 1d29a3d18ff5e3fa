package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.testkit.HostileText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the controllers send only valid requests when a tenant writes invalid values into
 * string fields.
 */
class HostileValuesTest {
  private static final Settings ALL_CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.CLONE_VOLUME,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.MODIFY_VOLUME);
  private static final List<String> ANNOTATIONS =
      List.of(
          "volume.kubernetes.io/selected-node",
          "volume.kubernetes.io/storage-provisioner",
          "volume.beta.kubernetes.io/storage-provisioner",
          "volume.beta.kubernetes.io/storage-class",
          "pv.kubernetes.io/bind-completed",
          "pv.kubernetes.io/bound-by-controller",
          "pv.kubernetes.io/provisioned-by",
          "pv.kubernetes.io/migrated-to",
          "volume.kubernetes.io/storage-resizer",
          "secret");
  private static final Pattern PATH =
      Pattern.compile(
          "/(?:api/v1|apis/[a-z0-9.]+/v1)(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+)(/status)?)?");
  private static final Set<String> QUERY_PARAMETERS =
      Set.of(
          "watch",
          "allowWatchBookmarks",
          "timeoutSeconds",
          "limit",
          "continue",
          "resourceVersion",
          "resourceVersionMatch",
          "sendInitialEvents",
          "fieldManager",
          "fieldSelector");
  private static final Set<String> WATCHED_RESOURCES =
      Set.of(
          "persistentvolumes",
          "persistentvolumeclaims",
          "pods",
          "nodes",
          "storageclasses",
          "volumeattachments",
          "csinodes",
          "csidrivers",
          "volumeattributesclasses",
          "volumesnapshots"); // the bridge looks up the snapshots that claims name

  private static final Set<String> READ_ONLY_RESOURCES =
      Set.of("nodes", "secrets", "volumesnapshots", "volumesnapshotcontents", "storageclasses");

  private final HostileText hostileText = new HostileText(2026);
  private final Random random = new Random(2026);
  private final Set<String> hostileValues = new HashSet<>();
  @TempDir private Path folder;
  private int valueCount;

  private String nextHostileValue() {
    valueCount++;
    String value = hostileText.nextText();
    hostileValues.add(value);
    return value;
  }

  private JsonObject newClaim(String name) {
    JsonObject claim =
        JsonParser.parseString(
                """
                {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
                """
                    .formatted(name, List.of("now", "later", "secret").get(random.nextInt(3))))
            .getAsJsonObject();
    JsonObject annotations = new JsonObject();
    for (String annotation : ANNOTATIONS) {
      if (random.nextBoolean()) {
        annotations.addProperty(annotation, nextHostileValue());
      }
    }
    claim.getAsJsonObject("metadata").add("annotations", annotations);
    JsonObject spec = claim.getAsJsonObject("spec");
    switch (random.nextInt(6)) {
      case 0 -> spec.addProperty("volumeName", nextHostileValue());
      case 1 -> spec.addProperty("storageClassName", nextHostileValue());
      case 2 -> spec.addProperty("volumeAttributesClassName", nextHostileValue());
      case 3 -> spec.add("dataSourceRef", newDataSource());
      default -> spec.add("dataSource", newDataSource());
    }
    return claim;
  }

  private JsonObject newDataSource() {
    JsonObject source = new JsonObject();
    boolean isSnapshot = random.nextBoolean();
    if (isSnapshot) {
      source.addProperty("apiGroup", "snapshot.storage.k8s.io");
    }
    source.addProperty("kind", isSnapshot ? "VolumeSnapshot" : "PersistentVolumeClaim");
    source.addProperty("name", nextHostileValue());
    return source;
  }

  private JsonObject newPod(String name) {
    JsonObject pod =
        JsonParser.parseString(
                """
                {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": []}}
                """
                    .formatted(name))
            .getAsJsonObject();
    JsonObject claim = new JsonObject();
    claim.addProperty("claimName", nextHostileValue());
    JsonObject volume = new JsonObject();
    volume.addProperty("name", "v");
    volume.add("persistentVolumeClaim", claim);
    JsonArray volumes = new JsonArray();
    volumes.add(volume);
    pod.getAsJsonObject("spec").add("volumes", volumes);
    if (random.nextBoolean()) {
      pod.getAsJsonObject("spec").addProperty("nodeName", nextHostileValue());
    }
    return pod;
  }

  /** Returns whether the API server admits the object. */
  private static boolean isAdmitted(CsiCluster cluster, ResourceType type, JsonObject object) {
    try {
      cluster.handlers().create(type, "default", object, WriteOptions.PLAIN);
      return true;
    } catch (StatusException rejection) {
      return false;
    }
  }

  private int createObjects(CsiCluster cluster, int minValues) {
    int admittedObjects = 0;
    for (int i = 0; valueCount < minValues; i++) {
      admittedObjects += isAdmitted(cluster, KindCatalogue.CLAIMS, newClaim("claim-" + i)) ? 1 : 0;
      admittedObjects += isAdmitted(cluster, KindCatalogue.PODS, newPod("pod-" + i)) ? 1 : 0;
    }
    return admittedObjects;
  }

  @Test
  @Timeout(1800)
  void hostileValues_requests_areAllValid() throws Exception {
    int minValues = Math.min(20_000, Integer.getInteger("mooring.hostile.values", 1_000));
    try (CsiCluster cluster = new CsiCluster(folder, 2, false);
        RequestLog log = new RequestLog(cluster.url());
        ReferenceDriver driver = cluster.startDriver(ALL_CAPABILITIES)) {
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "secret"}, "provisioner": "csi.example.com", "parameters": {"csi.storage.k8s.io/provisioner-secret-name": "${pvc.annotations['secret']}", "csi.storage.k8s.io/provisioner-secret-namespace": "${pvc.namespace}"}}
          """);
      int admittedObjects = createObjects(cluster, minValues);
      assertThat(admittedObjects)
          .as("of objects with " + valueCount + " values")
          .isGreaterThan(minValues / 20);
      Path kubeconfig =
          Files.writeString(
              folder.resolve("through"),
              Files.readString(cluster.kubeconfig()).replace(cluster.url(), log.url()));
      ControllerManager manager =
          RunFlags.manager(
              List.of(
                  "--endpoints=off",
                  "--leader-elect=false",
                  cluster.endpointFlag(),
                  "--csi-retry-interval-start=20ms",
                  "--csi-retry-interval-max=300ms"),
              Resources.csiPlugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        cluster.await(
            "every data source has an event", () -> findClaimsWithoutEvent(cluster).isEmpty());
        cluster.createClaim("good", "now");
        cluster.await("other claims are bound", () -> phaseOf(cluster, "good").equals("Bound"));
      } finally {
        manager.stop();
      }
      Set<String> expectedNames = findExpectedNames(cluster);
      assertThat(log.lines()).isNotEmpty().allSatisfy(line -> assertAllowed(line, expectedNames));
      assertThat(driver).isNotNull();
    }
  }

  private static String phaseOf(CsiCluster cluster, String claim) {
    return cluster
        .find(KindCatalogue.CLAIMS, claim)
        .map(claimObject -> JsonBodies.textAt(claimObject, "status", "phase"))
        .orElse("");
  }

  /** Returns the claims with a data source and without an event. */
  private static Set<String> findClaimsWithoutEvent(CsiCluster cluster) {
    Set<String> claims = new HashSet<>();
    for (StoredObject stored : cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects()) {
      JsonObject spec = stored.tree().getAsJsonObject("spec");
      String className = JsonBodies.textAt(stored.tree(), "spec", "storageClassName");
      if ((spec.has("dataSource") || spec.has("dataSourceRef")) && className.equals("now")) {
        claims.add(JsonBodies.textAt(stored.tree(), "metadata", "name"));
      }
    }
    for (StoredObject event : cluster.handlers().store(KindCatalogue.EVENTS).list("").objects()) {
      claims.remove(JsonBodies.textAt(event.tree(), "regarding", "name"));
      claims.remove(JsonBodies.textAt(event.tree(), "involvedObject", "name"));
    }
    return claims;
  }

  /** Returns all object names, and all values that the test wrote instead of names. */
  private Set<String> findExpectedNames(CsiCluster cluster) {
    Set<String> expectedNames = new HashSet<>(hostileValues);
    for (ResourceType type :
        List.of(
            KindCatalogue.CLAIMS,
            KindCatalogue.VOLUMES,
            KindCatalogue.PODS,
            KindCatalogue.NODES,
            KindCatalogue.EVENTS,
            KindCatalogue.ATTACHMENTS,
            KindCatalogue.CLASSES)) {
      cluster
          .handlers()
          .store(type)
          .list("")
          .objects()
          .forEach(
              object -> expectedNames.add(JsonBodies.textAt(object.tree(), "metadata", "name")));
    }
    return expectedNames;
  }

  private static void assertAllowed(String line, Set<String> expectedNames) {
    String[] words = line.split(" ");
    assertThat(words).as(line).hasSize(3);
    String[] pathAndQuery = words[1].split("[?]", 2);
    Matcher path = PATH.matcher(pathAndQuery[0]);
    assertThat(path.matches()).as(line).isTrue();
    String namespace = path.group(1);
    String resource = path.group(2);
    String name = path.group(3);
    assertThat(namespace).as(line).isIn(null, "default");
    if (name == null) {
      boolean isWatchedCollection = namespace == null && WATCHED_RESOURCES.contains(resource);
      boolean isListedCollection = namespace != null && Set.of("pods", "events").contains(resource);
      assertThat(words[0].equals("POST") || isWatchedCollection || isListedCollection)
          .as(line)
          .isTrue();
    } else {
      assertThat(name).as(line).matches("[A-Za-z0-9._~!$&'()*+,;=:@-]{1,253}");
      assertThat(expectedNames.contains(name) || name.startsWith("pvc-")).as(line).isTrue();
      assertThat(words[0].equals("GET") || !READ_ONLY_RESOURCES.contains(resource))
          .as(line)
          .isTrue();
    }
    for (String parameter : pathAndQuery.length < 2 ? new String[0] : pathAndQuery[1].split("&")) {
      assertThat(QUERY_PARAMETERS).as(line).contains(parameter.split("=", 2)[0]);
      assertThat(parameter.startsWith("watch") && name != null).as(line).isFalse();
    }
  }
}
