package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.Verbs;
import dev.mooring.apiserver.http.WriteOptions;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.store.Stored;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.Shelf;
import dev.mooring.spi.csi.Identity.Ability;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A CSI driver's volumes, driven by the bridge as it is distributed: made, attached, taken back,
 * destroyed.
 */
@Timeout(180)
class CsiTest {
  private static final String DRIVER = "csi.example.com";
  private static final Settings ABLE =
      Settings.of(
          DRIVER,
          Ability.CONTROLLER_SERVICE,
          Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          Ability.CREATE_DELETE_VOLUME,
          Ability.PUBLISH_UNPUBLISH_VOLUME,
          Ability.EXPAND_VOLUME,
          Ability.LIST_VOLUMES,
          Ability.LIST_VOLUMES_PUBLISHED_NODES);

  @TempDir private Path folder;
  private Path socket;
  private Shelf shelf;
  private ApiServer server;
  private NodeSimulator nodes;
  private Verbs verbs;
  private Manager manager;

  @BeforeEach
  void startCluster() throws Exception {
    socket = folder.resolve("csi.sock");
    shelf = new Shelf(Files.createDirectory(folder.resolve("shelf")));
    server = ApiServer.start(ApiServer.Config.DEFAULTS);
    verbs = server.verbs();
    nodes = NodeSimulator.start(verbs, 2);
    for (int i = 1; i <= 2; i++) {
      String zone = "z" + i;
      verbs.update(
          Catalogue.NODES,
          "",
          "node-" + i,
          WriteOptions.PLAIN,
          node -> {
            node.getAsJsonObject("metadata").add("labels", parsed("{\"zone\": \"" + zone + "\"}"));
            return node;
          });
      create(
          Catalogue.CSI_NODES,
          """
          {"metadata": {"name": "node-%1$d"}, "spec": {"drivers": [{"name": "csi.example.com", "nodeID": "id-%1$d", "topologyKeys": ["zone"]}]}}
          """
              .formatted(i));
    }
    classNamed("now", "Immediate");
    classNamed("later", "WaitForFirstConsumer");
  }

  private void startManager(String... more) throws Exception {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    List<String> flags =
        new java.util.ArrayList<>(
            List.of(
                "--endpoints=127.0.0.1:0",
                "--leader-elect=false",
                "--csi-endpoint=" + DRIVER + "=unix://" + socket,
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"));
    flags.addAll(List.of(more));
    manager =
        RunFlags.manager(
            flags, Resources.csiPlugins(), KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    nodes.close();
    server.close();
  }

  private static JsonObject parsed(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void create(ResourceType type, String json) throws Problem {
    verbs.create(type, type.namespaced() ? "default" : "", parsed(json), WriteOptions.PLAIN);
  }

  private void classNamed(String name, String mode) throws Problem {
    create(
        Catalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "csi.example.com", "volumeBindingMode": "%s", "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "parameters": {"tier": "fast", "csi.storage.k8s.io/fstype": "xfs"}}
        """
            .formatted(name, mode));
  }

  private void claim(String name, String className) throws Problem {
    create(
        Catalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  private void pod(String name) throws Problem {
    create(
        Catalogue.PODS,
        """
        {"metadata": {"name": "%1$s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%1$s"}}]}}
        """
            .formatted(name));
  }

  private void grow(String claim, String size) throws Problem {
    verbs.update(
        Catalogue.CLAIMS,
        "default",
        claim,
        WriteOptions.PLAIN,
        tree -> {
          tree.getAsJsonObject("spec")
              .getAsJsonObject("resources")
              .getAsJsonObject("requests")
              .addProperty("storage", size);
          return tree;
        });
  }

  private long given(String size) {
    return verbs.store(Catalogue.CLAIMS).list("").objects().stream()
        .filter(o -> JsonBodies.text(o.tree(), "status", "capacity", "storage").equals(size))
        .count();
  }

  private void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as(() -> what + " within a minute; there is " + state())
          .isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private String state() {
    StringBuilder all = new StringBuilder(shelf.all().toString());
    for (ResourceType type :
        List.of(Catalogue.CLAIMS, Catalogue.VOLUMES, Catalogue.ATTACHMENTS, Catalogue.EVENTS)) {
      verbs.store(type).list("").objects().forEach(o -> all.append('\n').append(o.tree()));
    }
    return all.toString();
  }

  private long count(ResourceType type, String phase) {
    return verbs.store(type).list("").objects().stream()
        .filter(o -> JsonBodies.text(o.tree(), "status", "phase").equals(phase))
        .count();
  }

  private String metrics() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + manager.port() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private boolean isEmpty(ResourceType type) {
    return verbs.store(type).list("").objects().isEmpty();
  }

  @Test
  void aVolumesWholeLife() throws Exception {
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, ABLE)) {
      startManager();
      claim("a", "later");
      pod("a");
      until("the pod runs", () -> count(Catalogue.PODS, "Running") == 1);
      Stored volume = verbs.store(Catalogue.VOLUMES).list("").objects().iterator().next();
      JsonObject spec = volume.tree().getAsJsonObject("spec");
      assertThat(JsonBodies.text(spec, "csi", "driver")).isEqualTo(DRIVER);
      assertThat(JsonBodies.text(spec, "csi", "fsType")).isEqualTo("xfs");
      assertThat(JsonBodies.text(spec, "capacity", "storage")).isEqualTo("1Gi");
      assertThat(JsonBodies.text(spec, "csi", "volumeAttributes", "made-by")).isEqualTo(DRIVER);
      assertThat(spec.getAsJsonObject("nodeAffinity").toString()).contains("zone");
      assertThat(volume.tree().getAsJsonObject("metadata").get("finalizers").toString())
          .contains(
              "external-provisioner.volume.kubernetes.io/finalizer",
              "external-attacher/csi-example-com");
      Stored attachment = verbs.store(Catalogue.ATTACHMENTS).list("").objects().iterator().next();
      assertThat(JsonBodies.text(attachment.tree(), "status", "attachmentMetadata", "device"))
          .startsWith("/dev/vol-");
      assertThat(shelf.all()).singleElement().matches(i -> i.nodes().size() == 1);
      assertThat(shelf.all().getFirst().parameters()).isEqualTo("{tier=fast}");

      grow("a", "2Gi");
      until("it has grown", () -> given("2Gi") == 1);
      assertThat(shelf.all().getFirst().bytes()).isEqualTo(2L << 30);
      JsonObject grown = verbs.store(Catalogue.CLAIMS).list("").objects().iterator().next().tree();
      assertThat(JsonBodies.at(grown, "status", "conditions")).isNull();
      assertThat(JsonBodies.at(grown, "status", "allocatedResourceStatuses")).isNull();
      assertThat(JsonBodies.text(grown, "status", "allocatedResources", "storage"))
          .isEqualTo("2Gi");
      verbs.delete(Catalogue.PODS, "default", "a", WriteOptions.PLAIN);
      until("it is taken back", () -> isEmpty(Catalogue.ATTACHMENTS));
      assertThat(shelf.all()).singleElement().matches(i -> i.nodes().isEmpty());
      verbs.delete(Catalogue.CLAIMS, "default", "a", WriteOptions.PLAIN);
      until("everything is gone", () -> isEmpty(Catalogue.VOLUMES) && shelf.all().isEmpty());
      assertThat(driver.calls())
          .extracting(c -> c.substring(0, c.indexOf(' ')))
          .filteredOn(c -> !c.equals("ListVolumes"))
          .containsExactly(
              "CreateVolume",
              "ControllerPublishVolume",
              "ControllerExpandVolume",
              "ControllerUnpublishVolume",
              "DeleteVolume");
      assertThat(metrics())
          .contains(
              "csi_sidecar_operations_seconds_count{driver_name=\"csi.example.com\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\",migrated=\"false\"} 1");
    }
  }

  /** Whatever goes wrong with a call: nothing is made twice, nothing is left behind. */
  @Test
  void withFaultsAtEveryCallNothingIsLostOrLeftBehind() throws Exception {
    Random random = new Random(Long.getLong("mooring.csi.seed", 1));
    Settings faulty = ABLE.with(method -> fault(random));
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, faulty)) {
      startManager("--csi-timeout=500ms");
      int pods = 20;
      for (int i = 0; i < pods; i++) {
        claim("p-" + i, i % 2 == 0 ? "now" : "later");
        pod("p-" + i);
      }
      until("all pods run", () -> count(Catalogue.PODS, "Running") == pods);
      assertThat(shelf.all()).hasSize(pods);
      for (int i = 0; i < pods; i++) {
        grow("p-" + i, "2Gi");
      }
      until("all have grown", () -> given("2Gi") == pods);
      assertThat(shelf.all()).allMatch(i -> i.bytes() == 2L << 30);
      for (int i = 0; i < pods; i++) {
        verbs.delete(Catalogue.PODS, "default", "p-" + i, WriteOptions.PLAIN);
        verbs.delete(Catalogue.CLAIMS, "default", "p-" + i, WriteOptions.PLAIN);
      }
      until("everything is gone", () -> isEmpty(Catalogue.VOLUMES) && shelf.all().isEmpty());
      until("nothing is attached", () -> isEmpty(Catalogue.ATTACHMENTS));
      assertThat(driver.calls()).hasSizeGreaterThan(4 * pods);
    }
  }

  private static synchronized Fault fault(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Fault.Refused(Status.Code.INTERNAL);
      case 1 -> new Fault.Refused(Status.Code.ABORTED);
      case 2 -> new Fault.Lost(Status.Code.DEADLINE_EXCEEDED);
      case 3 -> new Fault.Lost(Status.Code.UNAVAILABLE);
      case 4 -> new Fault.Slow(random.nextInt(700));
      default -> Fault.NONE;
    };
  }

  @Test
  void aNodeGrowsTheFileSystemWhereTheDriverSaysSo() throws Exception {
    Settings both =
        Settings.of(
            DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.EXPAND_VOLUME,
            Ability.NODE_EXPAND_VOLUME);
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, both)) {
      startManager();
      claim("a", "now");
      until("it is bound", () -> count(Catalogue.CLAIMS, "Bound") == 1);
      grow("a", "2Gi");
      until(
          "a node is asked",
          () ->
              verbs.store(Catalogue.CLAIMS).list("").objects().stream()
                  .anyMatch(c ->
                      JsonBodies.text(c.tree(), "status", "allocatedResourceStatuses", "storage")
                          .equals("NodeResizePending")));
      JsonObject volume =
          verbs.store(Catalogue.VOLUMES).list("").objects().iterator().next().tree();
      assertThat(JsonBodies.text(volume, "spec", "capacity", "storage")).isEqualTo("2Gi");
      assertThat(volume.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
          .contains("\"volume.alpha.kubernetes.io/pre-resize-capacity\":\"1Gi\"");
      assertThat(given("1Gi")).isEqualTo(1);
      verbs.update(
          Catalogue.CLAIMS,
          "default",
          "a",
          WriteOptions.STATUS,
          tree -> {
            JsonObject status = tree.getAsJsonObject("status");
            status.getAsJsonObject("capacity").addProperty("storage", "2Gi");
            status.remove("allocatedResourceStatuses");
            status.remove("conditions");
            return tree;
          });
      until(
          "the mark goes",
          () ->
              !verbs
                  .store(Catalogue.VOLUMES)
                  .list("")
                  .objects()
                  .iterator()
                  .next()
                  .tree()
                  .toString()
                  .contains("pre-resize-capacity"));
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerExpand")).hasSize(1);
    }
  }

  @Test
  void aVolumeIsChangedToAnotherAttributesClass() throws Exception {
    Settings able =
        Settings.of(
            DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.MODIFY_VOLUME);
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, able)) {
      startManager();
      attributes("gold", "9000");
      claim("a", "now");
      until("it is bound", () -> count(Catalogue.CLAIMS, "Bound") == 1);
      verbs.update(
          Catalogue.CLAIMS,
          "default",
          "a",
          WriteOptions.PLAIN,
          tree -> {
            tree.getAsJsonObject("spec").addProperty("volumeAttributesClassName", "gold");
            return tree;
          });
      until(
          "it is gold",
          () ->
              verbs.store(Catalogue.CLAIMS).list("").objects().stream()
                  .anyMatch(c ->
                      JsonBodies.text(c.tree(), "status", "currentVolumeAttributesClassName")
                          .equals("gold")));
      JsonObject claim = verbs.store(Catalogue.CLAIMS).list("").objects().iterator().next().tree();
      assertThat(JsonBodies.at(claim, "status", "modifyVolumeStatus")).isNull();
      assertThat(JsonBodies.at(claim, "status", "conditions")).isNull();
      JsonObject volume =
          verbs.store(Catalogue.VOLUMES).list("").objects().iterator().next().tree();
      assertThat(JsonBodies.text(volume, "spec", "volumeAttributesClassName")).isEqualTo("gold");
      assertThat(shelf.all().getFirst().parameters()).isEqualTo("{iops=9000}");
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerModify")).hasSize(1);
    }
  }

  private void attributes(String name, String iops) throws Problem {
    create(
        Catalogue.ATTRIBUTES_CLASSES,
        """
        {"metadata": {"name": "%s"}, "driverName": "csi.example.com", "parameters": {"iops": "%s"}}
        """
            .formatted(name, iops));
  }

  @Test
  void aClaimIsCopiedAndHeldMeanwhile() throws Exception {
    Settings able =
        Settings.of(
            DRIVER, Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME, Ability.CLONE_VOLUME);
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, able)) {
      startManager();
      claim("source", "now");
      until("it is bound", () -> count(Catalogue.CLAIMS, "Bound") == 1);
      create(
          Catalogue.CLAIMS,
          """
          {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
          """);
      until("the copy is bound", () -> count(Catalogue.CLAIMS, "Bound") == 2);
      assertThat(shelf.all()).extracting(Shelf.Item::source).contains(source());
      JsonObject held = verbs.get(Catalogue.CLAIMS, "default", "source").tree();
      assertThat(held.getAsJsonObject("metadata").get("finalizers").toString())
          .contains("provisioner.storage.kubernetes.io/cloning-protection");
      verbs.delete(Catalogue.CLAIMS, "default", "source", WriteOptions.PLAIN);
      until(
          "the source is gone", () -> verbs.store(Catalogue.CLAIMS).list("").objects().size() == 1);
      until("its volume too", () -> shelf.all().size() == 1);
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("CreateVolume")).hasSize(2);
    }
  }

  private String source() {
    return shelf.all().stream()
        .filter(i -> i.source().isEmpty())
        .map(Shelf.Item::id)
        .findFirst()
        .orElseThrow();
  }

  /** It was made, but nobody heard; then the process was gone, and the claim was deleted. */
  @Test
  void aVolumeThatWasMadeForNobodyIsNotLeftBehind() throws Exception {
    Settings lossy =
        ABLE.with(m ->
            m.equals("CreateVolume") ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED) : Fault.NONE);
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, lossy)) {
      startManager();
      claim("a", "now");
      until("it is made", () -> shelf.all().size() == 1);
      manager.stop();
      manager = null;
      assertThat(driver.calls()).isNotEmpty();
    }
    verbs.delete(Catalogue.CLAIMS, "default", "a", WriteOptions.PLAIN);
    assertThat(isEmpty(Catalogue.CLAIMS)).as("it waits until that is known").isFalse();
    try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, ABLE)) {
      startManager();
      until("the claim is gone", () -> isEmpty(Catalogue.CLAIMS));
      until("everything is gone", () -> isEmpty(Catalogue.VOLUMES) && shelf.all().isEmpty());
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("DeleteVolume"));
    }
  }

  @Test
  void aDriverThatRestartsIsWaitedFor() throws Exception {
    claim("early", "now");
    startManager();
    for (int life = 0; life < 2; life++) {
      String name = "c-" + life;
      try (ReferenceDriver driver = new ReferenceDriver(socket, shelf, ABLE)) {
        claim(name, "now");
        int bound = life + 2;
        until("it is bound", () -> count(Catalogue.CLAIMS, "Bound") == bound);
        assertThat(driver.calls()).isNotEmpty();
      }
    }
    assertThat(shelf.all()).hasSize(3);
  }
}
