package dev.mooring.it.csi;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.handle.WriteOptions.PropagationPolicy;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.patch.JsonPatches;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with two nodes, the hostPath plugin, the reference driver with snapshots, and
 * Kubernetes' controllers for workloads. Seeds decide about its objects in the namespace shop.
 */
abstract class PredictionFixture {
  static final String NAMESPACE = "shop";
  private static final List<String> CLASSES =
      List.of("host", "host-retain", "now", "later", "csi-retain");
  private static final Settings CAPABILITIES =
      Settings.of(
          CsiCluster.DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.LIST_VOLUMES,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS);

  @TempDir Path folder;
  CsiCluster cluster;
  ControllerManager manager;
  private ReferenceDriver driver;
  private ControllerSimulator workloads;

  @BeforeEach
  void start() throws Exception {
    cluster = new CsiCluster(folder, 2, false);
    SnapshotResources.install(cluster.handlers());
    driver = cluster.startDriver(CAPABILITIES);
    workloads =
        ControllerSimulator.start(cluster.handlers(), EnumSet.allOf(SimulatedController.class), "");
    startManager();
  }

  @AfterEach
  void stop() throws Exception {
    manager.stop();
    workloads.close();
    driver.close();
    cluster.close();
  }

  void startManager(String... extraFlags) throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--endpoints=off",
                "--leader-elect=false",
                "--controllers=*,snapshot-controller",
                "--enable-snapshots",
                "--enable-hostpath-provisioner=true",
                "--feature-gates=CSIVolumeGroupSnapshot=false",
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms",
                cluster.endpointFlag()));
    flags.addAll(List.of(extraFlags));
    manager =
        RunFlags.manager(
            flags,
            Resources.allPlugins(),
            KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test"));
    manager.start();
  }

  ObjectHandlers handlers() {
    return cluster.handlers();
  }

  static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  ResourceType snapshots() {
    return SnapshotResources.findType(handlers(), "volumesnapshots").orElseThrow();
  }

  List<JsonObject> list(ResourceType type) {
    return handlers().store(type).list("").objects().stream().map(StoredObject::tree).toList();
  }

  void create(ResourceType type, String json) throws StatusException {
    handlers().create(type, type.namespaced() ? NAMESPACE : "", parse(json), WriteOptions.PLAIN);
  }

  void delete(ResourceType type, String name) throws StatusException {
    handlers()
        .delete(
            type,
            type.namespaced() ? NAMESPACE : "",
            name,
            WriteOptions.PLAIN.withPropagation(PropagationPolicy.BACKGROUND));
  }

  void merge(ResourceType type, String name, String json) throws StatusException {
    handlers()
        .update(
            type,
            type.namespaced() ? NAMESPACE : "",
            name,
            WriteOptions.PLAIN,
            current -> JsonPatches.merge(current, parse(json)));
  }

  private void createClasses() throws StatusException {
    String json =
        "{'metadata': {'name': '%s'}, 'provisioner': '%s', 'reclaimPolicy': '%s', 'allowVolumeExpansion': true}";
    create(KindCatalogue.CLASSES, json.formatted("host", "kubernetes.io/host-path", "Delete"));
    create(
        KindCatalogue.CLASSES, json.formatted("host-retain", "kubernetes.io/host-path", "Retain"));
    create(KindCatalogue.CLASSES, json.formatted("csi-retain", CsiCluster.DRIVER, "Retain"));
    for (String policy : List.of("Delete", "Retain")) {
      create(
          SnapshotResources.findType(handlers(), "volumesnapshotclasses").orElseThrow(),
          "{'apiVersion': 'snapshot.storage.k8s.io/v1', 'kind': 'VolumeSnapshotClass', 'metadata': {'name': 'snap-%s'}, 'driver': '%s', 'deletionPolicy': '%s'}"
              .formatted(policy.toLowerCase(Locale.ROOT), CsiCluster.DRIVER, policy));
    }
  }

  static String claim(String name, String storageClass, String extra) {
    return "{'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {'name': '%s', 'namespace': '%s'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '1Gi'}}%s}}"
        .formatted(name, NAMESPACE, storageClass, extra);
  }

  /** Creates up to four claims, pods and snapshots and a StatefulSet, and waits until all work. */
  void createObjects(Random random) throws Exception {
    create(KindCatalogue.NAMESPACES, "{'metadata': {'name': 'shop'}}");
    createClasses();
    int claims = 1 + random.nextInt(4);
    for (int i = 0; i < claims; i++) {
      String storageClass = i == 0 ? "now" : CLASSES.get(random.nextInt(CLASSES.size()));
      create(KindCatalogue.CLAIMS, claim("c" + i, storageClass, ""));
      if (storageClass.equals("later") || random.nextBoolean()) {
        create(
            KindCatalogue.PODS,
            "{'metadata': {'name': 'p%1$d'}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'c%1$d'}}]}}"
                .formatted(i));
      }
    }
    create(
        KindCatalogue.STATEFUL_SETS,
        "{'metadata': {'name': 'db'}, 'spec': {'replicas': 1, 'serviceName': 'db', 'selector': {'matchLabels': {'a': 'b'}}, 'template': {'metadata': {'labels': {'a': 'b'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i', 'volumeMounts': [{'name': 'data', 'mountPath': '/d'}]}]}}, 'volumeClaimTemplates': [{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '1Gi'}}}}]}}"
            .formatted(CLASSES.get(random.nextInt(CLASSES.size()))));
    cluster.await(
        "claims are bound and pods run",
        () ->
            list(KindCatalogue.CLAIMS).size() == claims + 1
                && isEvery(KindCatalogue.CLAIMS, "Bound")
                && isEvery(KindCatalogue.VOLUMES, "Bound")
                && isEvery(KindCatalogue.PODS, "Running"));
    createSnapshots(random, claims);
    cluster.await("controllers are idle", () -> manager.isIdle() && workloads.isAtRest());
  }

  private void createSnapshots(Random random, int claims) throws StatusException {
    for (int i = 0; i < claims; i++) {
      String storageClass =
          JsonBodies.textAt(
              handlers().store(KindCatalogue.CLAIMS).get(NAMESPACE + "/c" + i).tree(),
              "spec",
              "storageClassName");
      if (i == 0 || !storageClass.startsWith("host") && random.nextBoolean()) {
        create(
            snapshots(),
            "{'apiVersion': 'snapshot.storage.k8s.io/v1', 'kind': 'VolumeSnapshot', 'metadata': {'name': 's%d', 'namespace': 'shop'}, 'spec': {'volumeSnapshotClassName': '%s', 'source': {'persistentVolumeClaimName': 'c%d'}}}"
                .formatted(i, random.nextBoolean() ? "snap-delete" : "snap-retain", i));
      }
    }
    cluster.await(
        "snapshots are ready",
        () ->
            list(snapshots()).stream()
                .allMatch(s -> JsonBodies.textAt(s, "status", "readyToUse").equals("true")));
  }

  private boolean isEvery(ResourceType type, String phase) {
    return list(type).stream()
        .allMatch(object -> JsonBodies.textAt(object, "status", "phase").equals(phase));
  }
}
