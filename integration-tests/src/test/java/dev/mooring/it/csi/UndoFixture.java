package dev.mooring.it.csi;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.VolumeStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with hostPath, NFS and CSI volumes whose deletion is delayed. */
abstract class UndoFixture {
  static final List<String> CLASSES = List.of("host", "nfs", "now");
  private static final String CONTENT = "content";

  @TempDir Path folder;
  CsiCluster cluster;
  VolumeStore store;
  private ReferenceDriver driver;
  private ControllerManager manager;
  private Path exportFolder;

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new CsiCluster(folder, 1, true);
    store = cluster.store();
    driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES);
    exportFolder = Files.createDirectory(folder.resolve("export"));
    createClass("host", "kubernetes.io/host-path");
    createClass("nfs", "k8s-sigs.io/nfs-subdir-external-provisioner");
  }

  private void createClass(String name, String provisioner) throws Exception {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "reclaimPolicy": "Delete"}
        """
            .formatted(name, provisioner));
  }

  @AfterEach
  void stop() throws Exception {
    stopManager();
    driver.close();
    cluster.close();
  }

  void startManager(String... extraFlags) throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--mode=replace",
                "--endpoints=off",
                "--leader-elect=false",
                "--enable-hostpath-provisioner=true",
                "--deletion-brake-limit=0", // the mass deletion would trip the brake
                "--plugin-setting=nfs-exports=nfs.example.com:/srv=" + exportFolder,
                "--plugin-setting=nfs-require-mount=false",
                cluster.endpointFlag(),
                "--csi-retry-interval-start=20ms",
                "--csi-retry-interval-max=300ms"));
    flags.addAll(List.of(extraFlags));
    manager =
        RunFlags.manager(
            flags,
            Resources.allPlugins(),
            KubeConnection.ofFiles(List.of(cluster.kubeconfig()), "", "test"));
    manager.start();
  }

  void stopManager() throws Exception {
    if (manager != null) {
      manager.stop();
    }
    manager = null;
  }

  void awaitIdle() {
    cluster.await("controllers are idle", manager::isIdle);
  }

  void createClaim(String name, String className) throws Exception {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s", "labels": {"app": "%s"}, "annotations": {"note": "of %s"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, name, name, className));
  }

  void awaitBound(long count) {
    cluster.await(
        count + " claims are bound",
        () ->
            cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == count
                && cluster.countInPhase(KindCatalogue.VOLUMES, "Bound") == count);
  }

  void awaitCondemned(long count) {
    cluster.await(
        count + " volumes are condemned",
        () ->
            cluster.isEmpty(KindCatalogue.CLAIMS)
                && list(KindCatalogue.VOLUMES).stream()
                        .filter(volume -> !annotation(volume, "condemned-until").isEmpty())
                        .count()
                    == count);
  }

  static String annotation(JsonObject volume, String name) {
    return JsonBodies.textAt(volume, "metadata", "annotations", "mooring.dev/" + name);
  }

  List<JsonObject> list(ResourceType type) {
    return cluster.handlers().store(type).list("").objects().stream()
        .map(stored -> stored.tree())
        .toList();
  }

  String volumeOf(String claim) {
    return JsonBodies.textAt(
        cluster.find(KindCatalogue.CLAIMS, claim).orElseThrow(), "spec", "volumeName");
  }

  void annotate(String volume, String annotation, String value) throws Exception {
    update(
        volume,
        tree ->
            tree.getAsJsonObject("metadata")
                .getAsJsonObject("annotations")
                .addProperty("mooring.dev/" + annotation, value));
  }

  void update(String volume, Consumer<JsonObject> change) throws Exception {
    cluster
        .handlers()
        .update(
            KindCatalogue.VOLUMES,
            "",
            volume,
            WriteOptions.PLAIN,
            tree -> {
              change.accept(tree);
              return tree;
            });
  }

  /** Returns the file with the volume's content; the reference driver stores one file a volume. */
  private Path contentOf(JsonObject volume) {
    String handle = JsonBodies.textAt(volume, "spec", "csi", "volumeHandle");
    if (!handle.isEmpty()) {
      return folder.resolve("store").resolve(handle);
    }
    String export = JsonBodies.textAt(volume, "spec", "nfs", "path");
    return export.isEmpty()
        ? Path.of(JsonBodies.textAt(volume, "spec", "hostPath", "path")).resolve(CONTENT)
        : exportFolder.resolve(export.substring("/srv/".length())).resolve(CONTENT);
  }

  /**
   * Fills the volumes of plugins with random bytes. Returns the content of all volumes by claim.
   */
  Map<String, byte[]> fillVolumes(Random random) throws IOException {
    for (JsonObject volume : list(KindCatalogue.VOLUMES)) {
      Path file = contentOf(volume);
      if (file.endsWith(CONTENT)) {
        byte[] bytes = new byte[1 + random.nextInt(5000)];
        random.nextBytes(bytes);
        Files.write(file, bytes);
      }
    }
    return readVolumes();
  }

  /** Returns the content of all volumes by the claim in their claimRef. */
  Map<String, byte[]> readVolumes() throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (JsonObject volume : list(KindCatalogue.VOLUMES)) {
      contents.put(
          JsonBodies.textAt(volume, "spec", "claimRef", "name"),
          Files.readAllBytes(contentOf(volume)));
    }
    return contents;
  }

  /** Returns the paths of all content. */
  List<Path> contentPaths() {
    return list(KindCatalogue.VOLUMES).stream().map(this::contentOf).toList();
  }

  String explain(String object) throws Exception {
    return CommandResult.ofExplain(cluster.kubeconfig(), Resources.allPlugins(), object).output();
  }

  CommandResult undo(String... args) {
    List<String> all = new ArrayList<>(List.of("undo", "--kubeconfig=" + cluster.kubeconfig()));
    all.addAll(List.of(args));
    return CommandResult.ofCommand(all.toArray(String[]::new));
  }
}
