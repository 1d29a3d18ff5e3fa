package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.Identity.Ability;
import io.grpc.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A CSI driver's volumes, driven by the bridge as it is distributed: made, attached, taken back,
 * destroyed.
 */
@Timeout(300)
class CsiTest {
  @TempDir private Path folder;
  private CsiCluster cluster;
  private VolumeStore store;
  private Manager manager;

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new CsiCluster(folder, 2, true);
    store = cluster.store();
  }

  private void startManager(String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--endpoints=127.0.0.1:0",
                "--leader-elect=false",
                cluster.endpointFlag(),
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"));
    flags.addAll(List.of(more));
    manager =
        RunFlags.manager(
            flags,
            Resources.csiPlugins(),
            KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test"));
    manager.start();
  }

  @AfterEach
  void stop() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    cluster.close();
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

  @Test
  void aVolumesWholeLife() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      startManager();
      cluster.claim("a", "later");
      cluster.pod("a", "a");
      cluster.until("the pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
      JsonObject spec = volume.getAsJsonObject("spec");
      assertThat(JsonBodies.text(spec, "csi", "driver")).isEqualTo(CsiCluster.DRIVER);
      assertThat(JsonBodies.text(spec, "csi", "fsType")).isEqualTo("xfs");
      assertThat(JsonBodies.text(spec, "capacity", "storage")).isEqualTo("1Gi");
      assertThat(JsonBodies.text(spec, "csi", "volumeAttributes", "made-by"))
          .isEqualTo(CsiCluster.DRIVER);
      assertThat(spec.getAsJsonObject("nodeAffinity").toString()).contains("zone");
      assertThat(volume.getAsJsonObject("metadata").get("finalizers").toString())
          .contains(
              "external-provisioner.volume.kubernetes.io/finalizer",
              "external-attacher/csi-example-com");
      JsonObject attachment = cluster.one(KindCatalogue.ATTACHMENTS);
      assertThat(JsonBodies.text(attachment, "status", "attachmentMetadata", "device"))
          .startsWith("/dev/vol-");
      assertThat(store.all()).singleElement().matches(i -> i.nodes().size() == 1);
      assertThat(store.all().getFirst().parameters()).isEqualTo("{tier=fast}");

      cluster.grow("a", "2Gi");
      cluster.until("it has grown", () -> cluster.given("2Gi") == 1);
      cluster.until(
          "its owner is told",
          () -> cluster.having(KindCatalogue.EVENTS, "VolumeResizeSuccessful", "reason") > 0);
      assertThat(store.all().getFirst().bytes()).isEqualTo(2L << 30);
      JsonObject grown = cluster.one(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.at(grown, "status", "conditions")).isNull();
      assertThat(JsonBodies.at(grown, "status", "allocatedResourceStatuses")).isNull();
      assertThat(JsonBodies.text(grown, "status", "allocatedResources", "storage"))
          .isEqualTo("2Gi");
      cluster.delete(KindCatalogue.PODS, "a");
      cluster.until("it is taken back", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(store.all()).singleElement().matches(i -> i.nodes().isEmpty());
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until(
          "everything is gone",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.all().isEmpty());
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
              "controller_persistentvolumeclaim_provision_total{class=\"later\",source=\"\"} 1",
              "controller_persistentvolume_delete_total{class=\"later\"} 1",
              "controller_persistentvolume_delete_duration_seconds_count{class=\"later\"} 1",
              "csi_sidecar_operations_seconds_count{driver_name=\"csi.example.com\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\",migrated=\"false\"} 1");
    }
  }

  /** Whatever goes wrong with a call: nothing is made twice, nothing is left behind. */
  @Test
  void withFaultsAtEveryCallNothingIsLostOrLeftBehind() throws Exception {
    Random random = new Random(Long.getLong("mooring.csi.seed", 1));
    Settings faulty = CsiCluster.ABLE.with(method -> CsiCluster.fault(method, random));
    try (ReferenceDriver driver = cluster.driver(faulty)) {
      startManager("--csi-timeout=500ms");
      int pods = 20;
      for (int i = 0; i < pods; i++) {
        cluster.claim("p-" + i, i % 2 == 0 ? "now" : "later");
        cluster.pod("p-" + i, "p-" + i);
      }
      cluster.until("all pods run", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == pods);
      assertThat(store.all()).hasSize(pods);
      for (int i = 0; i < pods; i++) {
        cluster.grow("p-" + i, "2Gi");
      }
      cluster.until("all have grown", () -> cluster.given("2Gi") == pods);
      assertThat(store.all()).allMatch(i -> i.bytes() == 2L << 30);
      for (int i = 0; i < pods; i++) {
        cluster.delete(KindCatalogue.PODS, "p-" + i);
        cluster.delete(KindCatalogue.CLAIMS, "p-" + i);
      }
      cluster.until(
          "everything is gone",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.all().isEmpty());
      cluster.until("nothing is attached", () -> cluster.isEmpty(KindCatalogue.ATTACHMENTS));
      assertThat(driver.calls()).hasSizeGreaterThan(4 * pods);
    }
  }

  @Test
  void aNodeGrowsTheFileSystemWhereTheDriverSaysSo() throws Exception {
    Settings both =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.EXPAND_VOLUME,
            Ability.NODE_EXPAND_VOLUME);
    try (ReferenceDriver driver = cluster.driver(both)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("it is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.grow("a", "2Gi");
      cluster.until(
          "a node is asked",
          () ->
              cluster.having(
                      KindCatalogue.CLAIMS,
                      "NodeResizePending",
                      "status",
                      "allocatedResourceStatuses",
                      "storage")
                  == 1);
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.text(volume, "spec", "capacity", "storage")).isEqualTo("2Gi");
      assertThat(volume.getAsJsonObject("metadata").getAsJsonObject("annotations").toString())
          .contains("\"volume.alpha.kubernetes.io/pre-resize-capacity\":\"1Gi\"");
      assertThat(cluster.given("1Gi")).isEqualTo(1);
      cluster
          .handlers()
          .update(
              KindCatalogue.CLAIMS,
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
      cluster.until(
          "the mark goes",
          () -> !cluster.one(KindCatalogue.VOLUMES).toString().contains("pre-resize-capacity"));
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerExpand")).hasSize(1);
    }
  }

  @Test
  void aVolumeIsChangedToAnotherAttributesClass() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.MODIFY_VOLUME);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cluster.attributesClass("gold", "9000");
      cluster.claim("a", "now");
      cluster.until("it is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.modify("a", "gold");
      cluster.until(
          "it is gold",
          () ->
              cluster.having(
                      KindCatalogue.CLAIMS, "gold", "status", "currentVolumeAttributesClassName")
                  == 1);
      JsonObject claim = cluster.one(KindCatalogue.CLAIMS);
      assertThat(JsonBodies.at(claim, "status", "modifyVolumeStatus")).isNull();
      assertThat(JsonBodies.at(claim, "status", "conditions")).isNull();
      JsonObject volume = cluster.one(KindCatalogue.VOLUMES);
      assertThat(JsonBodies.text(volume, "spec", "volumeAttributesClassName")).isEqualTo("gold");
      assertThat(store.all().getFirst().parameters()).isEqualTo("{iops=9000}");
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("ControllerModify")).hasSize(1);
    }
  }

  @Test
  void aClaimIsCopiedAndHeldMeanwhile() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.CLONE_VOLUME);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager();
      cluster.claim("source", "now");
      cluster.until("it is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "copy"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "now", "resources": {"requests": {"storage": "1Gi"}}, "dataSource": {"kind": "PersistentVolumeClaim", "name": "source"}}}
          """);
      cluster.until("the copy is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(store.all()).extracting(VolumeStore.Item::source).contains(source());
      JsonObject held = cluster.get(KindCatalogue.CLAIMS, "source").orElseThrow();
      assertThat(held.getAsJsonObject("metadata").get("finalizers").toString())
          .contains("provisioner.storage.kubernetes.io/cloning-protection");
      cluster.delete(KindCatalogue.CLAIMS, "source");
      cluster.until(
          "the source is gone",
          () -> cluster.handlers().store(KindCatalogue.CLAIMS).list("").objects().size() == 1);
      cluster.until("its volume too", () -> store.all().size() == 1);
      assertThat(driver.calls()).filteredOn(c -> c.startsWith("CreateVolume")).hasSize(2);
    }
  }

  private String source() {
    return store.all().stream()
        .filter(i -> i.source().isEmpty())
        .map(VolumeStore.Item::id)
        .findFirst()
        .orElseThrow();
  }

  /** It was made, but nobody heard; then the process was gone, and the claim was deleted. */
  @Test
  void aVolumeThatWasMadeForNobodyIsNotLeftBehind() throws Exception {
    Settings lossy =
        CsiCluster.ABLE.with(m ->
            m.equals("CreateVolume") ? new Fault.Lost(Status.Code.DEADLINE_EXCEEDED) : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(lossy)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("it is made", () -> store.all().size() == 1);
      manager.stop();
      manager = null;
      assertThat(driver.calls()).isNotEmpty();
    }
    cluster.delete(KindCatalogue.CLAIMS, "a");
    assertThat(cluster.isEmpty(KindCatalogue.CLAIMS)).as("it waits until that is known").isFalse();
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      startManager();
      cluster.until("the claim is gone", () -> cluster.isEmpty(KindCatalogue.CLAIMS));
      cluster.until(
          "everything is gone",
          () -> cluster.isEmpty(KindCatalogue.VOLUMES) && store.all().isEmpty());
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("DeleteVolume"));
    }
  }

  /** spec/csi-bridge.md, case 47. */
  @Test
  void itIsSaidHowMuchRoomThereIsWhere() throws Exception {
    Settings able =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
            Ability.CREATE_DELETE_VOLUME,
            Ability.GET_CAPACITY);
    cluster.create(
        KindCatalogue.CAPACITIES,
        """
        {"metadata": {"name": "foreign", "labels": {"csi.storage.k8s.io/drivername": "csi.example.com", "csi.storage.k8s.io/managed-by": "somebody"}}, "storageClassName": "later", "capacity": "1Gi"}
        """);
    cluster.create(
        KindCatalogue.CAPACITIES,
        """
        {"metadata": {"name": "stale", "labels": {"csi.storage.k8s.io/drivername": "csi.example.com", "csi.storage.k8s.io/managed-by": "external-provisioner"}}, "storageClassName": "gone", "capacity": "1Gi"}
        """);
    try (ReferenceDriver driver = cluster.driver(able)) {
      // the zones of this driver share their room: the other one's is seen when it is asked again
      startManager(
          "--enable-capacity", "--capacity-namespace=default", "--capacity-poll-interval=1s");
      String all = Long.toString(VolumeStore.ROOM);
      cluster.until(
          "each zone has one, and the class that is gone has none",
          () ->
              cluster.having(KindCatalogue.CAPACITIES, all, "capacity") == 2
                  && cluster.get(KindCatalogue.CAPACITIES, "stale").isEmpty());
      assertThat(cluster.having(KindCatalogue.CAPACITIES, "later", "storageClassName"))
          .isEqualTo(3);
      assertThat(cluster.having(KindCatalogue.CAPACITIES, "now", "storageClassName")).isZero();
      for (String zone : List.of("z1", "z2")) {
        assertThat(
                cluster.having(
                    KindCatalogue.CAPACITIES, zone, "nodeTopology", "matchLabels", "zone"))
            .isEqualTo(1);
      }
      cluster.claim("a", "now");
      cluster.until(
          "there is less room",
          () ->
              cluster.having(
                      KindCatalogue.CAPACITIES,
                      Long.toString(VolumeStore.ROOM - (1L << 30)),
                      "capacity")
                  == 2);
      cluster.until("they are counted", () -> counted(2));
      cluster.delete(KindCatalogue.CLASSES, "later");
      cluster.until(
          "only the foreign one is left",
          () -> cluster.handlers().store(KindCatalogue.CAPACITIES).list("").objects().size() == 1);
      cluster.until("none are counted", () -> counted(0));
      assertThat(cluster.get(KindCatalogue.CAPACITIES, "foreign")).isPresent();
      assertThat(driver.calls()).anyMatch(c -> c.contains("GetCapacity {zone=z1} {csi.storage"));
    }
  }

  private boolean counted(int objects) {
    try {
      String label = "{driver_name=\"csi.example.com\"} ";
      String now = metrics();
      return now.contains("csistoragecapacities_desired_goal" + label + objects)
          && now.contains("csistoragecapacities_desired_current" + label + objects)
          && now.contains("csistoragecapacities_obsolete" + label + "0");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Classes share what there is: whatever is made, destroyed or refused is seen in all of them. */
  @Test
  void roomThatIsTakenOrMissingIsSaidAtOnceForEveryClass() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Settings able =
        Settings.of(
                CsiCluster.DRIVER,
                Ability.CONTROLLER_SERVICE,
                Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
                Ability.CREATE_DELETE_VOLUME,
                Ability.GET_CAPACITY)
            .with(m ->
                m.equals("CreateVolume") && full.get()
                    ? new Fault.Refused(Status.Code.RESOURCE_EXHAUSTED)
                    : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(able)) {
      startManager(
          "--enable-capacity",
          "--capacity-namespace=default",
          "--capacity-for-immediate-binding",
          "--capacity-poll-interval=1h");
      cluster.until(
          "two classes in two zones, and nobody who asks again",
          () -> room(0) == 4 && manager.isIdle());
      cluster.claim("a", "now");
      cluster.until("its zone has less, in both classes", () -> room(1) == 2);
      assertThat(room(0)).as("nobody asked about the other zone").isEqualTo(2);
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.until("it has more again", () -> room(0) == 4);
      full.set(true);
      store.add("of somebody else", 3L << 30, "", "");
      cluster.claim("b", "now");
      cluster.until("there is less than was thought", () -> room(3) >= 2);
      assertThat(driver.calls()).anyMatch(c -> c.startsWith("GetCapacity"));
    }
  }

  /** How many objects say that so many Gi are taken. */
  private long room(int taken) {
    return cluster.having(
        KindCatalogue.CAPACITIES,
        Long.toString(VolumeStore.ROOM - ((long) taken << 30)),
        "capacity");
  }

  /** external-health-monitor's part, for a driver that lists and for one that is asked for each. */
  @ParameterizedTest
  @EnumSource(names = {"LIST_VOLUMES", "GET_VOLUME"})
  void whatIsWrongWithAVolumeIsToldToItsClaim(Ability how) throws Exception {
    Settings knowing =
        Settings.of(
            CsiCluster.DRIVER,
            Ability.CONTROLLER_SERVICE,
            Ability.CREATE_DELETE_VOLUME,
            Ability.VOLUME_CONDITION,
            how);
    try (ReferenceDriver driver = cluster.driver(knowing)) {
      startManager("--csi-list-volumes-interval=100ms");
      cluster.claim("a", "now");
      cluster.claim("b", "now");
      cluster.until("they are bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      String id = store.all().getFirst().id();
      store.ail(id, "lost its disk");
      cluster.until(
          "its owner is told", () -> told("VolumeConditionAbnormal", "lost its disk") == 1);
      store.ail(id, "");
      cluster.until(
          "its owner is told that it is well",
          () -> told("VolumeConditionNormal", "The Volume returns to the healthy state") == 1);
      assertThat(driver.calls()).isNotEmpty();
      assertThat(cluster.having(KindCatalogue.EVENTS, "VolumeConditionAbnormal", "reason"))
          .as("nobody else is")
          .isEqualTo(1);
    }
  }

  @Test
  void claimsAreToldThatTheirPodsNodeIsGone() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      startManager("--enable-node-watcher");
      cluster.claim("a", "later");
      cluster.pod("a", "a");
      cluster.until("the pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
      String node = JsonBodies.text(cluster.one(KindCatalogue.PODS), "spec", "nodeName");
      cluster.delete(KindCatalogue.NODES, node);
      cluster.until(
          "its owner is told",
          () ->
              told(
                      "NodeFailed",
                      "Pods: [ a ] consuming PVC: a in namespace: default are now on a failed node: "
                          + node)
                  == 1);
      assertThat(driver.calls()).isNotEmpty();
    }
  }

  private long told(String reason, String note) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .filter(e -> JsonBodies.text(e.tree(), "reason").equals(reason))
        .filter(e -> e.tree().toString().contains(note))
        .count();
  }

  @Test
  void aDriverThatRestartsIsWaitedFor() throws Exception {
    cluster.claim("early", "now");
    startManager();
    for (int life = 0; life < 2; life++) {
      String name = "c-" + life;
      try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
        cluster.claim(name, "now");
        int bound = life + 2;
        cluster.until("it is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == bound);
        assertThat(driver.calls()).isNotEmpty();
      }
    }
    assertThat(store.all()).hasSize(3);
  }

  /**
   * It restarted between two calls, and the new one can do more: nobody had to find out by a
   * failure.
   */
  @Test
  void aDriverThatIsReplacedIsUsedAsWhatItIsNow() throws Exception {
    Settings small =
        Settings.of(CsiCluster.DRIVER, Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME);
    try (ReferenceDriver driver = cluster.driver(small)) {
      startManager();
      cluster.claim("a", "now");
      cluster.until("it is bound", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 1);
      cluster.grow("a", "2Gi");
      assertThat(driver.calls()).hasSize(1);
    }
    Settings more =
        small.replacedBy(
            "2", Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME, Ability.EXPAND_VOLUME);
    Settings slow =
        more.with(m -> m.equals("ControllerGetCapabilities") ? new Fault.Slow(500) : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(slow)) {
      cluster.until("it has grown", () -> cluster.given("2Gi") == 1);
      assertThat(driver.calls()).allMatch(c -> c.startsWith("ControllerExpandVolume"));
    }
    AtomicInteger asked = new AtomicInteger();
    Settings foreign =
        Settings.of("other.example.com", Ability.CONTROLLER_SERVICE, Ability.CREATE_DELETE_VOLUME)
            .with(m -> {
              asked.addAndGet(m.equals("GetPluginInfo") ? 1 : 0);
              return Fault.NONE;
            });
    try (ReferenceDriver driver = cluster.driver(foreign)) {
      cluster.claim("b", "now");
      cluster.until("it is asked again and again who it is", () -> asked.get() > 2);
      assertThat(driver.calls()).isEmpty();
    }
    try (ReferenceDriver driver = cluster.driver(more)) {
      cluster.until("it is bound too", () -> cluster.inPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      assertThat(driver.calls()).isNotEmpty();
    }
  }

  /** spec/csi-bridge.md, case 45: the storage lost it. */
  @Test
  void aVolumeThatTheDriverDoesNotListIsPublishedAgain() throws Exception {
    AtomicBoolean hidden = new AtomicBoolean();
    Settings partly =
        CsiCluster.ABLE.with(
            m -> m.equals("ListVolumes entries") && hidden.get() ? new Fault.Partly() : Fault.NONE);
    try (ReferenceDriver driver = cluster.driver(partly)) {
      startManager("--csi-reconcile-sync=100ms");
      cluster.claim("a", "later");
      cluster.pod("a", "a");
      cluster.until("the pod runs", () -> cluster.inPhase(KindCatalogue.PODS, "Running") == 1);
      hidden.set(true);
      cluster.until(
          "it is published again",
          () -> driver.calls().stream().filter(c -> c.startsWith("ControllerPublish")).count() > 1);
      hidden.set(false);
    }
  }
}
