package dev.mooring.plugin.localpath;

import static dev.mooring.plugin.localpath.LocalPathFixtures.affinityTo;
import static dev.mooring.plugin.localpath.LocalPathFixtures.deleteRequest;
import static dev.mooring.plugin.localpath.LocalPathFixtures.failure;
import static dev.mooring.plugin.localpath.LocalPathFixtures.node;
import static dev.mooring.plugin.localpath.LocalPathFixtures.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the plugin on one node, with volumes on this and another node. */
class JobRunnerTest {
  private static final String AWAY = "node-2";
  private static final Map<String, String> IMAGE_SETTING =
      Map.of("local-path-helper-image", "mooring:1");

  @TempDir private Path folder;
  private Path base;
  private final FakeCluster cluster = FakeCluster.of(node("node-1"), node(AWAY));

  @BeforeEach
  void makeBase() throws Exception {
    base = Files.createDirectory(folder.resolve("base"));
  }

  private LocalPathPlugin plugin(Map<String, String> settings) {
    return LocalPathFixtures.plugin(folder, LocalPathFixtures.config(base), cluster, settings);
  }

  private Attempt<Provisioned> provision(Map<String, String> settings, String node) {
    return plugin(settings)
        .provisioner()
        .orElseThrow()
        .provision(request("pvc-1", "c", Map.of(), Map.of(), node));
  }

  private Attempt<Deleted> delete(Map<String, String> settings, String node) {
    return plugin(settings)
        .deleter()
        .orElseThrow()
        .delete(
            deleteRequest(
                "pvc-1",
                VolumeSource.hostPath(base + "/pvc-1_ns_c"),
                ObjectKey.of("ns", "c"),
                Map.of(),
                affinityTo(node)));
  }

  private static Map<String, Object> endPod(Map<String, Object> pod, String phase, int code) {
    return FakeCluster.with(
        pod,
        Map.of(
            "phase",
            phase,
            "containerStatuses",
            List.of(
                Map.of(
                    "state", Map.of("terminated", Map.of("exitCode", code, "message", "why"))))));
  }

  private static Map<String, Object> succeeded(Map<String, Object> pod) {
    return endPod(pod, "Succeeded", 0);
  }

  @Test
  void provision_onOwnNode_createsNoPod() {
    assertThat(provision(Map.of(), "node-1")).isInstanceOf(Attempt.Done.class);
    assertThat(base.resolve("pvc-1_ns_c")).isDirectory();
    assertThat(delete(Map.of(), "node-1")).isInstanceOf(Attempt.Done.class);
    assertThat(base).isEmptyDirectory();
    assertThat(cluster.createdPods).hasValue(0);
  }

  @Test
  void provision_onOtherNode_runsAndDeletesPod() {
    cluster.kubelet = JobRunnerTest::succeeded;
    assertThat(provision(IMAGE_SETTING, AWAY)).isInstanceOf(Attempt.Done.class);
    assertThat(delete(IMAGE_SETTING, AWAY)).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(2);
    assertThat(cluster.pods).isEmpty();
    assertThat(base).isEmptyDirectory();
  }

  /** A container's directory with the same path must not be used instead of the node's. */
  @Test
  void provision_basePathNotMounted_runsPod() throws Exception {
    Files.delete(base);
    cluster.kubelet = JobRunnerTest::succeeded;
    assertThat(provision(IMAGE_SETTING, "node-1")).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(1);
    assertThat(base).doesNotExist();
  }

  /**
   * NODE_NAME alone does not show that the node's directory is mounted, because the chart sets it
   * in every process. A container may have its own directory at the configured path.
   */
  @Test
  void provision_nodeNotConfigured_runsPod() throws Exception {
    cluster.kubelet = JobRunnerTest::succeeded;
    LocalPathPlugin plugin =
        LocalPathFixtures.plugin(
            folder,
            LocalPathFixtures.config(base),
            cluster,
            IMAGE_SETTING,
            Map.of("NODE_NAME", "node-1"));
    assertThat(
            plugin
                .provisioner()
                .orElseThrow()
                .provision(request("pvc-1", "c", Map.of(), Map.of(), "node-1")))
        .isInstanceOf(Attempt.Done.class);
    assertThat(base).isEmptyDirectory();
    assertThat(cluster.createdPods).hasValue(1);
  }

  @Test
  void provision_apiServerDown_failsAtOnce() {
    cluster.podRequestsFail = true;
    assertThat(failure(provision(IMAGE_SETTING, AWAY)))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .isEqualTo("no answer about pods");
  }

  @Test
  void provision_noHelperImage_namesTheSetting() {
    assertThat(failure(provision(Map.of(), AWAY)))
        .isInstanceOf(Failure.Rejected.class)
        .extracting(Failure::message)
        .asString()
        .contains("local-path-helper-image", AWAY);
  }

  @Test
  void provision_noCluster_namesWhatIsMissing() {
    LocalPathPlugin plugin =
        LocalPathFixtures.plugin(
            folder, LocalPathFixtures.config(base), PluginCluster.NONE, Map.of());
    assertThat(
            failure(
                    plugin
                        .provisioner()
                        .orElseThrow()
                        .provision(request("v", "c", Map.of(), Map.of(), "node-1")))
                .message())
        .contains("--plugin-pods-namespace");
  }

  @Test
  void provision_podFails_reportsReasonAndDeletesPod() {
    cluster.kubelet = pod -> endPod(pod, "Failed", 1);
    assertThat(failure(provision(IMAGE_SETTING, AWAY))).isInstanceOf(Failure.Uncertain.class);
    cluster.kubelet = pod -> endPod(pod, "Failed", HelperMain.EXIT_REJECTED);
    assertThat(failure(provision(IMAGE_SETTING, AWAY)))
        .isInstanceOf(Failure.Rejected.class)
        .extracting(Failure::message)
        .asString()
        .endsWith("failed: why");
    assertThat(cluster.pods).isEmpty();
  }

  @Test
  void provision_podExceedsTimeout_isDeleted() {
    String config =
        LocalPathFixtures.config(base).replaceFirst("\\{", "{\"cmdTimeoutSeconds\": 1, ");
    LocalPathPlugin plugin = LocalPathFixtures.plugin(folder, config, cluster, IMAGE_SETTING);
    cluster.kubelet =
        pod ->
            FakeCluster.with(
                pod,
                Map.of(
                    "phase",
                    "Pending",
                    "containerStatuses",
                    List.of(
                        Map.of("state", Map.of("waiting", Map.of("reason", "ImagePullBackOff"))))));
    assertThat(
            failure(
                plugin
                    .provisioner()
                    .orElseThrow()
                    .provision(request("pvc-1", "c", Map.of(), Map.of(), AWAY))))
        .isInstanceOf(Failure.Uncertain.class)
        .extracting(Failure::message)
        .asString()
        .contains("did not end within 1 s", "ImagePullBackOff");
    assertThat(cluster.pods).isEmpty();
  }

  /** The creating process died or was interrupted; a second pod must not start. */
  @Test
  void provision_afterRestart_findsRunningPod() throws Exception {
    AtomicReference<Attempt<Provisioned>> firstAttempt = new AtomicReference<>();
    Thread deadProcess =
        Thread.ofPlatform().start(() -> firstAttempt.set(provision(IMAGE_SETTING, AWAY)));
    TestWait.until("the pod is created", () -> !cluster.pods.isEmpty());
    deadProcess.interrupt();
    deadProcess.join();
    assertThat(failure(firstAttempt.get())).isInstanceOf(Failure.Uncertain.class);
    assertThat(cluster.pods).hasSize(1);
    assertThat(failure(delete(IMAGE_SETTING, AWAY)))
        .as("the pod still provisions the volume")
        .isInstanceOf(Failure.InUse.class);
    cluster.pods.replaceAll((name, pod) -> succeeded(pod));
    assertThat(provision(IMAGE_SETTING, AWAY)).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(1);
    assertThat(cluster.pods).isEmpty();
  }

  /** The node died while the pod ran; the scheduler selected another node for the claim. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void provision_podOnDeadNode_usesAnotherPod(boolean isTerminating) {
    putPodOnDeadNode(isTerminating);
    cluster.kubelet = JobRunnerTest::succeeded;
    assertThat(provision(IMAGE_SETTING, "node-3")).isInstanceOf(Attempt.Done.class);
    assertThat(delete(IMAGE_SETTING, "node-3")).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(2);
    assertThat(cluster.pods.keySet())
        .isSubsetOf(HelperPod.podName("pvc-1"))
        .hasSize(isTerminating ? 1 : 0);
  }

  private void putPodOnDeadNode(boolean isTerminating) {
    cluster.nodes.put(AWAY, node(AWAY, Map.of("kubernetes.io/hostname", AWAY), false));
    cluster.nodes.put("node-3", node("node-3"));
    Map<String, Object> metadata = new HashMap<>(Map.of("uid", "x"));
    if (isTerminating) {
      metadata.put("deletionTimestamp", "2026-01-01T00:00:00Z");
      cluster.undeletablePods.add(HelperPod.podName("pvc-1"));
    }
    cluster.pods.put(
        HelperPod.podName("pvc-1"),
        Map.of(
            "metadata",
            metadata,
            "spec",
            Map.of(
                "nodeName",
                AWAY,
                "containers",
                List.of(Map.of("args", List.of("make", "/volumes", "pvc-1_ns_c", "pvc-1")))),
            "status",
            Map.of("phase", "Running")));
  }

  @Test
  void provision_afterRestartOnAnotherNode_findsRunningPod() throws Exception {
    putPodOnDeadNode(true);
    Thread deadProcess = Thread.ofPlatform().start(() -> provision(IMAGE_SETTING, "node-3"));
    TestWait.until("the pod is created", () -> cluster.pods.size() == 2);
    deadProcess.interrupt();
    deadProcess.join();
    cluster.pods.remove(HelperPod.podName("pvc-1"));
    cluster.pods.replaceAll((name, pod) -> succeeded(pod));
    assertThat(provision(IMAGE_SETTING, "node-3")).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(1);
    assertThat(cluster.pods).isEmpty();
  }

  @Test
  void provision_staleFinishedPod_isDeleted() {
    cluster.kubelet = JobRunnerTest::succeeded;
    Map<String, Object> foreign = new HashMap<>();
    foreign.put("metadata", Map.of("uid", "x"));
    foreign.put("status", Map.of("phase", "Succeeded"));
    cluster.pods.put(HelperPod.podName("pvc-1"), foreign);
    assertThat(provision(IMAGE_SETTING, AWAY)).isInstanceOf(Attempt.Done.class);
    assertThat(cluster.createdPods).hasValue(1);
  }

  @Test
  void provision_nodeNotReady_createsNothing() {
    cluster.nodes.put(AWAY, node(AWAY, Map.of("kubernetes.io/hostname", AWAY), false));
    assertThat(failure(provision(IMAGE_SETTING, AWAY))).isInstanceOf(Failure.Exhausted.class);
    assertThat(failure(delete(IMAGE_SETTING, AWAY)))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("not ready");
    assertThat(cluster.createdPods).hasValue(0);
  }

  @Test
  void delete_nodeGone_keepsOrForgetsVolume() {
    cluster.nodes.remove(AWAY);
    assertThat(failure(provision(IMAGE_SETTING, AWAY)))
        .as("the scheduler chooses another")
        .isInstanceOf(Failure.Exhausted.class);
    assertThat(failure(delete(IMAGE_SETTING, AWAY)))
        .as("the volume stays; the failure has the reason")
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("node " + AWAY + " no longer exists", "local-path-node-gone=forget");
    Map<String, String> forget = new HashMap<>(IMAGE_SETTING);
    forget.put("local-path-node-gone", "forget");
    assertThat(delete(forget, AWAY)).isInstanceOf(Attempt.Done.class);
    cluster.outage = Optional.of(new Failure.Unreachable("no answer"));
    assertThat(failure(delete(forget, AWAY)))
        .as("an unreachable API server does not show that the node is gone")
        .isInstanceOf(Failure.Unreachable.class);
    assertThat(cluster.createdPods).hasValue(0);
  }

  @Test
  void start_invalidNodeGone_namesSettingAndValues() {
    assertThatThrownBy(() -> plugin(Map.of("local-path-node-gone", "maybe")))
        .hasMessage("local-path-node-gone \"maybe\" is unknown: use keep or forget");
  }

  @Test
  void delete_sharedDirectory_isRemovedWithLastVolume() throws Exception {
    Path shared = Files.createDirectories(base.resolve("ns/c"));
    cluster.volumes.add(
        SharedDirectoriesTest.volume(
            "pvc-2", shared.toString(), "c", ReclaimPolicy.RETAIN, affinityTo("node-1")));
    var request = deleteRequest("pvc-1", shared.toString(), ObjectKey.of("ns", "c"), Map.of());
    var deleter = plugin(Map.of()).deleter().orElseThrow();
    assertThat(failure(deleter.delete(request)))
        .isInstanceOf(Failure.InUse.class)
        .extracting(Failure::message)
        .asString()
        .contains("pvc-2");
    cluster.volumes.clear();
    assertThat(deleter.delete(request)).isInstanceOf(Attempt.Done.class);
    assertThat(shared).doesNotExist();
  }

  @Test
  void config_invalidChange_keepsLastValidContents() throws Exception {
    LocalPathPlugin plugin = plugin(Map.of());
    Path newBase = Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("config.json"), LocalPathFixtures.config(newBase));
    assertThat(plugin.supports(VolumeSource.local(newBase + "/x"))).isTrue();
    Files.writeString(folder.resolve("config.json"), "{");
    assertThat(plugin.supports(VolumeSource.local(newBase + "/x"))).isTrue();
    assertThat(plugin.supports(VolumeSource.local(base + "/x"))).isFalse();
  }

  private static String classConfig(String className, Path path) {
    return "{\"storageClassConfigs\": {\"%s\": %s}}"
        .formatted(className, LocalPathFixtures.config(path));
  }

  @Test
  void delete_afterClassLeftConfiguration_succeeds() throws Exception {
    LocalPathPlugin plugin =
        LocalPathFixtures.plugin(folder, classConfig("local-path", base), cluster, Map.of());
    plugin
        .provisioner()
        .orElseThrow()
        .provision(request("pvc-1", "c", Map.of(), Map.of(), "node-1"));
    Path directory = base.resolve("pvc-1_ns_c");
    assertThat(directory).isDirectory();
    Path newBase = Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("config.json"), classConfig("other", newBase));
    Map<String, String> annotations = Map.of(RemovalDecision.PROVISIONED_BY, plugin.name());
    assertThat(
            plugin
                .deleter()
                .orElseThrow()
                .delete(
                    deleteRequest(
                        "pvc-1", directory.toString(), ObjectKey.of("ns", "c"), annotations)))
        .isEqualTo(Attempt.done(new Deleted()));
    assertThat(directory).doesNotExist();
  }

  @Test
  void delete_unnamedDirectoryOfClassThatLeft_isRejected() throws Exception {
    LocalPathPlugin plugin =
        LocalPathFixtures.plugin(folder, classConfig("other", base), cluster, Map.of());
    Path directory = Files.createDirectories(base.resolve("ns/c"));
    assertThat(
            failure(
                plugin
                    .deleter()
                    .orElseThrow()
                    .delete(
                        deleteRequest(
                            "pvc-1",
                            directory.toString(),
                            ObjectKey.of("ns", "c"),
                            Map.of(RemovalDecision.PROVISIONED_BY, plugin.name())))))
        .isInstanceOf(Failure.Rejected.class)
        .extracting(Failure::message)
        .asString()
        .contains("none for class \"local-path\" on the node", "add the path");
    assertThat(directory).isDirectory();
  }

  @Test
  void delete_afterPathChange_succeeds() throws Exception {
    String volume = "pvc-01234567-89ab-cdef-0123-456789abcdef";
    LocalPathPlugin plugin = plugin(Map.of());
    plugin
        .provisioner()
        .orElseThrow()
        .provision(request(volume, "c", Map.of(), Map.of(), "node-1"));
    Path directory = base.resolve(volume + "_ns_c");
    assertThat(directory).isDirectory();
    Path newBase = Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("config.json"), LocalPathFixtures.config(newBase));
    assertThat(plugin.supports(VolumeSource.hostPath(directory.toString()))).isTrue();
    ObjectKey claim = ObjectKey.of("ns", "c");
    assertThat(
            failure(
                    plugin
                        .deleter()
                        .orElseThrow()
                        .delete(deleteRequest(volume, directory.toString(), claim, Map.of())))
                .message())
        .as("the volume lacks the annotation of its provisioner")
        .contains("lies below none of [" + newBase + "]", "add the path");
    assertThat(
            plugin
                .deleter()
                .orElseThrow()
                .delete(
                    deleteRequest(
                        volume,
                        directory.toString(),
                        claim,
                        Map.of(RemovalDecision.PROVISIONED_BY, plugin.name()))))
        .isEqualTo(Attempt.done(new Deleted()));
    assertThat(directory).doesNotExist();
  }
}
