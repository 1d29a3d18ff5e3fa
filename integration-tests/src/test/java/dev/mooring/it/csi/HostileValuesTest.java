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
 * A tenant writes invalid values into every string field; the assembled controllers then send only
 * requests that they are allowed to send.
 */
class HostileValuesTest {
  private static final Settings ABLE =
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
  private static final Pattern ADDRESS =
      Pattern.compile(
          "/(?:api/v1|apis/[a-z0-9.]+/v1)(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+)(/status)?)?");
  private static final Set<String> PARAMETERS =
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
  private static final Set<String> WATCHED =
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
          "volumesnapshots"); // searched for claims that are never restored

  private static final Set<String> READ_ONLY =
      Set.of("nodes", "secrets", "volumesnapshots", "volumesnapshotcontents", "storageclasses");

  private final HostileText text = new HostileText(2026);
  private final Random random = new Random(2026);
  private final Set<String> names = new HashSet<>();
  @TempDir private Path folder;
  private int fed;

  private String hostile() {
    fed++;
    String value = text.nextText();
    names.add(value);
    return value;
  }

  private JsonObject claim(String name) {
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
        annotations.addProperty(annotation, hostile());
      }
    }
    claim.getAsJsonObject("metadata").add("annotations", annotations);
    JsonObject spec = claim.getAsJsonObject("spec");
    switch (random.nextInt(6)) {
      case 0 -> spec.addProperty("volumeName", hostile());
      case 1 -> spec.addProperty("storageClassName", hostile());
      case 2 -> spec.addProperty("volumeAttributesClassName", hostile());
      case 3 -> spec.add("dataSourceRef", source());
      default -> spec.add("dataSource", source());
    }
    return claim;
  }

  private JsonObject source() {
    JsonObject source = new JsonObject();
    boolean snapshot = random.nextBoolean();
    if (snapshot) {
      source.addProperty("apiGroup", "snapshot.storage.k8s.io");
    }
    source.addProperty("kind", snapshot ? "VolumeSnapshot" : "PersistentVolumeClaim");
    source.addProperty("name", hostile());
    return source;
  }

  private JsonObject pod(String name) {
    JsonObject pod =
        JsonParser.parseString(
                """
                {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": []}}
                """
                    .formatted(name))
            .getAsJsonObject();
    JsonObject claim = new JsonObject();
    claim.addProperty("claimName", hostile());
    JsonObject volume = new JsonObject();
    volume.addProperty("name", "v");
    volume.add("persistentVolumeClaim", claim);
    JsonArray volumes = new JsonArray();
    volumes.add(volume);
    pod.getAsJsonObject("spec").add("volumes", volumes);
    if (random.nextBoolean()) {
      pod.getAsJsonObject("spec").addProperty("nodeName", hostile());
    }
    return pod;
  }

  /** Returns whether the API server admits the object. */
  private static boolean admitted(CsiCluster cluster, ResourceType type, JsonObject object) {
    try {
      cluster.handlers().create(type, "default", object, WriteOptions.PLAIN);
      return true;
    } catch (StatusException refused) {
      return false;
    }
  }

  private int feed(CsiCluster cluster, int values) {
    int admitted = 0;
    for (int i = 0; fed < values; i++) {
      admitted += admitted(cluster, KindCatalogue.CLAIMS, claim("claim-" + i)) ? 1 : 0;
      admitted += admitted(cluster, KindCatalogue.PODS, pod("pod-" + i)) ? 1 : 0;
    }
    return admitted;
  }

  @Test
  @Timeout(1800)
  void hostileValues_requests_areAllValid() throws Exception {
    int values = Math.min(20_000, Integer.getInteger("mooring.hostile.values", 1_000));
    try (CsiCluster cluster = new CsiCluster(folder, 2, false);
        RequestLog log = new RequestLog(cluster.url());
        ReferenceDriver driver = cluster.driver(ABLE)) {
      cluster.create(
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "secret"}, "provisioner": "csi.example.com", "parameters": {"csi.storage.k8s.io/provisioner-secret-name": "${pvc.annotations['secret']}", "csi.storage.k8s.io/provisioner-secret-namespace": "${pvc.namespace}"}}
          """);
      int admitted = feed(cluster, values);
      assertThat(admitted).as("of objects with " + fed + " values").isGreaterThan(values / 20);
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
        cluster.until("every data source has an event", () -> unanswered(cluster).isEmpty());
        cluster.claim("good", "now");
        cluster.until("other claims are bound", () -> phase(cluster, "good").equals("Bound"));
      } finally {
        manager.stop();
      }
      Set<String> known = known(cluster);
      assertThat(log.lines()).isNotEmpty().allSatisfy(line -> isAllowed(line, known));
      assertThat(driver).isNotNull();
    }
  }

  private static String phase(CsiCluster cluster, String claim) {
    return cluster
        .get(KindCatalogue.CLAIMS, claim)
        .map(found -> JsonBodies.textAt(found, "status", "phase"))
        .orElse("");
  }

  /** Claims with a data source that got no event. */
  private static Set<String> unanswered(CsiCluster cluster) {
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

  /** All object names, and all values written where names are expected. */
  private Set<String> known(CsiCluster cluster) {
    Set<String> known = new HashSet<>(names);
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
          .forEach(o -> known.add(JsonBodies.textAt(o.tree(), "metadata", "name")));
    }
    return known;
  }

  private static void isAllowed(String line, Set<String> known) {
    String[] parts = line.split(" ");
    assertThat(parts).as(line).hasSize(3);
    String[] address = parts[1].split("[?]", 2);
    Matcher place = ADDRESS.matcher(address[0]);
    assertThat(place.matches()).as(line).isTrue();
    String namespace = place.group(1);
    String resource = place.group(2);
    String name = place.group(3);
    assertThat(namespace).as(line).isIn(null, "default");
    if (name == null) {
      boolean whole = namespace == null && WATCHED.contains(resource);
      boolean lists = namespace != null && Set.of("pods", "events").contains(resource);
      assertThat(parts[0].equals("POST") || whole || lists).as(line).isTrue();
    } else {
      assertThat(name).as(line).matches("[A-Za-z0-9._~!$&'()*+,;=:@-]{1,253}");
      assertThat(known.contains(name) || name.startsWith("pvc-")).as(line).isTrue();
      assertThat(parts[0].equals("GET") || !READ_ONLY.contains(resource)).as(line).isTrue();
    }
    for (String parameter : address.length < 2 ? new String[0] : address[1].split("&")) {
      assertThat(PARAMETERS).as(line).contains(parameter.split("=", 2)[0]);
      assertThat(parameter.startsWith("watch") && name != null).as(line).isFalse();
    }
  }
}
