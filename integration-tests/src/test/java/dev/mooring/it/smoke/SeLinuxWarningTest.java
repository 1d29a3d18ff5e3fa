package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.QuietCheck;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the optional warnings about pods that cannot share a volume because of SELinux labels. */
class SeLinuxWarningTest {
  private static final String LABEL = "SELinuxLabelConflict";
  private static final String POLICY = "SELinuxChangePolicyConflict";
  private static final String METRIC = "selinux_warning_controller_selinux_volume_conflict";

  @TempDir private Path folder;
  private Path log;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    log = folder.resolve("audit.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(log)));
    createDriver("d.example.com", true);
    createDriver("ebs.csi.aws.com", true);
    createPair("shared", "\"csi\": {\"driver\": \"d.example.com\", \"volumeHandle\": \"h\"}");
    createPair("in-tree", "\"awsElasticBlockStore\": {\"volumeID\": \"vol-1\"}");
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private ControllerManager startManager(String controllers) throws Exception {
    return cluster.startManager(
        Files.createDirectories(folder.resolve("none")),
        "--controllers=" + controllers,
        "--endpoints=127.0.0.1:0");
  }

  private void createDriver(String name, boolean supportsLabels) throws StatusException {
    cluster.create(
        KindCatalogue.CSI_DRIVERS,
        """
        {"metadata": {"name": "%s"}, "spec": {"attachRequired": false, "seLinuxMount": %s}}
        """
            .formatted(name, supportsLabels));
  }

  private void createPair(String name, String source) throws StatusException {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "", "volumeName": "pv-%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, name));
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv-%s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], %s}}
        """
            .formatted(name, source));
  }

  private void createPod(String name, String claim, String securityContext) throws StatusException {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"securityContext": {%s}, "containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/m"}]}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, securityContext, claim));
  }

  private static String levelMember(String level) {
    return "\"seLinuxOptions\": {\"level\": \"" + level + "\"}";
  }

  private List<JsonObject> events(String pod, String reason) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(event ->
            JsonBodies.textAt(event, "involvedObject", "name").equals(pod)
                && JsonBodies.textAt(event, "reason").equals(reason))
        .toList();
  }

  private static String fetchMetrics(ControllerManager manager) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + manager.port() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private static List<String> conflictSeries(ControllerManager manager) {
    return fetchMetrics(manager).lines().filter(line -> line.startsWith(METRIC + "{")).toList();
  }

  private static String expectedSeries(String property, String[] pod, String[] otherPod) {
    return METRIC
        + "{pod1_name=\"%s\",pod1_namespace=\"default\",pod1_value=\"%s\",pod2_name=\"%s\",pod2_namespace=\"default\",pod2_value=\"%s\",property=\"%s\"} 1.0"
            .formatted(pod[0], pod[1], otherPod[0], otherPod[1], property);
  }

  @Test
  void labelConflict_bothPods_getOneEventEach() throws Exception {
    ControllerManager manager = startManager("persistentvolume-binder,selinux-warning-controller");
    createPod("a", "shared", levelMember("s0:c1,c2"));
    createPod("b", "shared", levelMember("s0:c3,c4"));
    createPod("c", "in-tree", levelMember("s0:c5,c6"));
    String[] podA = {"a", ":::s0:c1,c2"};
    String[] podB = {"b", ":::s0:c3,c4"};
    List<String> expected =
        List.of(
            expectedSeries("SELinuxLabel", podA, podB), expectedSeries("SELinuxLabel", podB, podA));
    cluster.awaitCondition("both pods are counted", () -> conflictSeries(manager).equals(expected));
    cluster.awaitCondition(
        "both pods have an event",
        () -> events("a", LABEL).size() == 1 && events("b", LABEL).size() == 1);
    JsonObject event = events("a", LABEL).getFirst();
    assertThat(event.get("type").getAsString()).isEqualTo("Normal");
    assertThat(event.get("reportingComponent").getAsString()).isEqualTo("selinux_warning");
    assertThat(event.get("message").getAsString()).contains("pod b").contains(":::s0:c3,c4");
    QuietCheck.of(log).verify(QuietCheck.WINDOW);

    cluster.handlers().delete(KindCatalogue.PODS, "default", "b", WriteOptions.PLAIN);
    cluster.awaitCondition("conflict is over", () -> conflictSeries(manager).isEmpty());
    assertThat(events("a", LABEL)).hasSize(1);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
  }

  @Test
  void driver_startsSupportingLabels_createsConflict() throws Exception {
    setLabelSupport("ebs.csi.aws.com", false);
    ControllerManager manager = startManager("persistentvolume-binder,selinux-warning-controller");
    createPod("a", "in-tree", levelMember("s0:c1") + ", \"seLinuxChangePolicy\": \"Recursive\"");
    createPod("b", "in-tree", levelMember("s0:c1"));
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("in-tree"));
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(conflictSeries(manager)).isEmpty();

    setLabelSupport("ebs.csi.aws.com", true);
    cluster.awaitCondition(
        "both pods have an event",
        () -> !events("a", POLICY).isEmpty() && !events("b", POLICY).isEmpty());
    assertThat(conflictSeries(manager))
        .contains(
            expectedSeries(
                "SELinuxChangePolicy",
                new String[] {"b", "MountOption"},
                new String[] {"a", "Recursive"}));
    setLabelSupport("ebs.csi.aws.com", false);
    cluster.awaitCondition("conflict is over", () -> conflictSeries(manager).isEmpty());
  }

  private void setLabelSupport(String driver, boolean isSupported) throws StatusException {
    cluster
        .handlers()
        .update(
            KindCatalogue.CSI_DRIVERS,
            "",
            driver,
            WriteOptions.PLAIN,
            current -> {
              current.getAsJsonObject("spec").addProperty("seLinuxMount", isSupported);
              return current;
            });
  }

  @Test
  void pod_mixedLabels_getsOneEvent() throws Exception {
    startManager("persistentvolume-binder,selinux-warning-controller");
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "m"}, "spec": {"containers": [
          {"name": "c", "image": "i", "securityContext": {%s}, "volumeMounts": [{"name": "v", "mountPath": "/m"}]},
          {"name": "d", "image": "i", "securityContext": {%s}, "volumeMounts": [{"name": "v", "mountPath": "/m"}]}],
          "volumes": [{"name": "v", "emptyDir": {}}]}}
        """
            .formatted(levelMember("s0:c1"), levelMember("s0:c2")));
    cluster.awaitCondition(
        "event is emitted", () -> events("m", "MultipleSELinuxLabels").size() == 1);
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(events("m", "MultipleSELinuxLabels")).hasSize(1);
  }

  @Test
  void controller_disabled_emitsNoWarning() throws Exception {
    ControllerManager manager = startManager("*");
    createPod("a", "shared", levelMember("s0:c1,c2"));
    createPod("b", "shared", levelMember("s0:c3,c4"));
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("shared"));
    assertThat(fetchMetrics(manager)).doesNotContain("selinux_warning\"");
    QuietCheck.of(log).verify(QuietCheck.WINDOW);
    assertThat(events("a", LABEL)).isEmpty();
  }
}
