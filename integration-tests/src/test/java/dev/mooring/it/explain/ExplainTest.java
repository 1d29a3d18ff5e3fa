package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code mooring explain} beside a cluster to which it has read-only access. */
@Isolated("replaces the standard streams")
@Timeout(300)
class ExplainTest {
  private static final String CORE = "persistentvolumes,nodes";
  private static final String NAMESPACED = "persistentvolumeclaims,pods,events";

  @TempDir private Path folder;
  private ApiServer server;
  private RestApi admin;

  @BeforeEach
  void start() throws Exception {
    server =
        ApiServer.start(
            new ApiServer.ServerOptions(0, "admin-token", null)
                .withAuditLog(folder.resolve("audit")));
    admin = new RestApi(server.url(), "admin-token");
    server.tokens().accept(ReadOnlyAccount.TOKEN, ReadOnlyAccount.USER);
    new CaseObjects(admin).create(objects());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static JsonArray objects() {
    return JsonParser.parseString(
            """
            [{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-a"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}, "status": {"phase": "Available"}},
             {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "2Gi"}}}},
             {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "late", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "late", "resources": {"requests": {"storage": "2Gi"}}}},
             {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "late"}, "provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer"}]
            """)
        .getAsJsonArray();
  }

  private void mayRead(String core, String storage) throws Exception {
    ReadOnlyAccount.mayRead(admin, core, storage);
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        server.kubeconfig().replace("admin-token", ReadOnlyAccount.TOKEN));
  }

  private ExplainResult explain(String... args) throws Exception {
    return ExplainResult.of(kubeconfig(), Resources.plugins(), args);
  }

  private List<String> verbsOfMooring() throws IOException {
    return AuditEvent.read(folder.resolve("audit")).stream()
        .filter(event -> event.userAgent().startsWith("mooring"))
        .map(AuditEvent::verb)
        .toList();
  }

  @Test
  void explain_readOnlyAccess_succeedsWithoutWrites() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    try (JavaProcess process =
        JavaProcess.mooring(
            "explain",
            "--kubeconfig=" + kubeconfig(),
            "--plugins=" + Resources.plugins(),
            "pvc/data")) {
      assertThat(process.exitCode()).isEqualTo(3);
      assertThat(process.output())
          .anyMatch(line -> line.contains("NoVolume"))
          .anyMatch(line -> line.contains("has 1Gi, not 2Gi"));
    }
    assertThat(verbsOfMooring()).isNotEmpty().allMatch(ReadOnlyAccount.READS::contains);
  }

  @Test
  void watch_changes_arePrintedUntilNothingWaits() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses,csidrivers,volumeattachments");
    try (JavaProcess process =
        JavaProcess.mooring(
            "explain",
            "--kubeconfig=" + kubeconfig(),
            "--plugins=" + Resources.plugins(),
            "--watch",
            "pvc/data")) {
      process.awaitLine(line -> line.contains("NoVolume"));
      String uid =
          admin
              .get("PersistentVolumeClaim", "default", "data")
              .getAsJsonObject("metadata")
              .get("uid")
              .getAsString();
      patch(
          "PersistentVolumeClaim",
          "default",
          "data",
          "",
          "{\"metadata\": {\"annotations\": {\"pv.kubernetes.io/bind-completed\": \"yes\"}}, \"spec\": {\"volumeName\": \"pv-a\"}}");
      patch(
          "PersistentVolume",
          "",
          "pv-a",
          "",
          "{\"spec\": {\"claimRef\": {\"kind\": \"PersistentVolumeClaim\", \"namespace\": \"default\", \"name\": \"data\", \"uid\": \"%s\"}}}"
              .formatted(uid));
      process.awaitLine(line -> line.contains("Binding"));
      patch("PersistentVolume", "", "pv-a", "status", "{\"status\": {\"phase\": \"Bound\"}}");
      patch(
          "PersistentVolumeClaim",
          "default",
          "data",
          "status",
          "{\"status\": {\"phase\": \"Bound\", \"capacity\": {\"storage\": \"2Gi\"}}}");
      assertThat(process.exitCode()).isZero();
      assertThat(process.output()).anyMatch(line -> line.contains("it is bound to volume pv-a"));
    }
    assertThat(verbsOfMooring()).isNotEmpty().allMatch(ReadOnlyAccount.READS::contains);
  }

  private void patch(String kind, String namespace, String name, String sub, String body)
      throws Exception {
    admin.patch(kind, namespace, name, sub, JsonParser.parseString(body).getAsJsonObject());
  }

  @Test
  void explainAll_waitingObjects_areSorted() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    ExplainResult asked = explain("-A");
    assertThat(asked.code()).isEqualTo(3);
    assertThat(asked.out())
        .startsWith("2 of 3 objects are waiting:")
        .contains("pvc/data in namespace default", "NoVolume")
        .contains("pvc/late in namespace default", "WaitsForConsumer");
    assertThat(explain("-n", "elsewhere").out()).startsWith("0 of 0 objects are waiting");
    assertThat(explain("-n", "elsewhere").code()).isZero();
  }

  @Test
  void namespace_missing_isError() throws Exception {
    mayRead(CORE + ",namespaces," + NAMESPACED, "storageclasses");
    ExplainResult asked = explain("-n", "elsewhere");
    assertThat(asked.code()).isEqualTo(1);
    assertThat(asked.errors()).contains("unknown namespace \"elsewhere\"");
    assertThat(asked.out()).isEmpty();
    assertThat(explain("-n", "kube-system").out()).startsWith("0 of 0 objects are waiting");
  }

  @Test
  void namespace_unreadable_isLeftOpen() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    assertThat(explain("-n", "elsewhere").out())
        .contains("Unread  namespaces", "whether namespace elsewhere exists");
    assertThat(explain("-n", "default").out()).doesNotContain("Unread  namespaces");
  }

  @Test
  void explainAll_classesAttachmentsAndNodes_areListed() throws Exception {
    mayRead(
        CORE + "," + NAMESPACED,
        "storageclasses,csidrivers,csinodes,csistoragecapacities,volumeattachments");
    new CaseObjects(admin)
        .create(
            JsonParser.parseString(
                    """
                    [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
                     {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": "va-1"}, "spec": {"attacher": "csi.example.com", "nodeName": "n1", "source": {"persistentVolumeName": "gone"}}, "status": {"attached": false}}]
                    """)
                .getAsJsonArray());
    assertThat(explain("-A").out())
        .startsWith("3 of 5 objects are waiting:")
        .contains("volumeattachment/va-1", "VolumeObjectAbsent")
        .doesNotContain("Unread");
  }

  @Test
  void missingRights_skippedKinds_areNamed() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    assertThat(explain("-A").out().lines().map(String::strip).collect(Collectors.joining(" ")))
        .contains("Unread", "(unknown: whether", "volumeattachments", "nodes wait", "403");
    JsonObject list = JsonParser.parseString(explain("-A", "-o", "json").out()).getAsJsonObject();
    assertThat(list.getAsJsonArray("unseen")).isNotEmpty();
  }

  @Test
  void missingRights_driver_isNotReportedAbsent() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    ExplainResult asked = explain("class/late");
    assertThat(asked.code()).isEqualTo(3);
    assertThat(asked.out()).contains("Unread  csidrivers", "whether its driver is installed");
    assertThat(
            JsonParser.parseString(explain("class/late", "-o", "json").out())
                .getAsJsonObject()
                .getAsJsonArray("items")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("reason")
                .get("rank")
                .getAsString())
        .isEqualTo("unknown");
  }

  @Test
  void missingRights_events_areNamed() throws Exception {
    mayRead(CORE + ",persistentvolumeclaims,pods", "storageclasses");
    assertThat(explain("pvc/data").out())
        .contains("NoVolume", "Unread  events (unknown: the object's events)");
  }

  @Test
  void namespace_default_comesFromContext() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    Path config =
        Files.writeString(
            folder.resolve("elsewhere"),
            server
                .kubeconfig()
                .replace("admin-token", ReadOnlyAccount.TOKEN)
                .replace("mooring, user", "mooring, namespace: elsewhere, user"));
    assertThat(Files.readString(config)).contains("namespace: elsewhere");
    assertThat(ExplainResult.of(config, Resources.plugins(), "pvc/data").errors())
        .contains("in namespace \"elsewhere\"");
    assertThat(ExplainResult.of(config, Resources.plugins(), "pvc/data", "-n", "default").out())
        .contains("NoVolume");
  }

  @Test
  void json_output_hasSameContent() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    JsonObject item =
        JsonParser.parseString(explain("pvc/data", "-o", "json").out())
            .getAsJsonObject()
            .getAsJsonArray("items")
            .get(0)
            .getAsJsonObject();
    assertThat(item.getAsJsonObject("reason").get("code").getAsString()).isEqualTo("NoVolume");
    assertThat(item.getAsJsonObject("next").get("by").getAsString()).isEqualTo("person");
    JsonObject candidate =
        item.getAsJsonObject("evidence").getAsJsonArray("candidates").get(0).getAsJsonObject();
    assertThat(candidate.get("name").getAsString()).isEqualTo("pv-a");
    assertThat(candidate.getAsJsonArray("checks")).hasSize(10);
    assertThat(explain("pvc", "data", "-o", "yaml").out())
        .contains("kind: ExplanationList", "code: NoVolume");
  }

  @Test
  void missingRights_kinds_areNamed() throws Exception {
    mayRead("pods,persistentvolumeclaims", "storageclasses");
    ExplainResult asked = explain("pvc/data");
    assertThat(asked.code()).isEqualTo(3);
    assertThat(asked.out().lines().map(String::strip).collect(Collectors.joining(" ")))
        .contains("CannotTell", "whether a volume suits the claim", "persistentvolumes")
        .contains("403")
        .doesNotContain("NoVolume");
  }

  @Test
  void missingRights_pods_areNotReportedAbsent() throws Exception {
    mayRead(CORE + ",persistentvolumeclaims", "storageclasses");
    assertThat(explain("pvc/late").out())
        .contains("CannotTell", "whether a pod uses the claim")
        .doesNotContain("WaitsForConsumer");
  }

  @Test
  void missingRights_class_isNotReportedMissing() throws Exception {
    mayRead(CORE + "," + NAMESPACED, "csidrivers");
    assertThat(explain("pvc/late").out())
        .contains("CannotTell", "class \"late\"")
        .doesNotContain("ClassMissing");
  }

  @Test
  void missingRights_all_areReportedInOneLine() throws Exception {
    for (String[] args : List.of(new String[] {"pvc/data"}, new String[] {"-A"})) {
      ExplainResult asked = explain(args);
      assertThat(asked.code()).isEqualTo(1);
      assertThat(asked.out()).isEmpty();
      assertThat(asked.errors().lines()).hasSize(1);
      assertThat(asked.errors()).contains("403", "ersistentvolumeclaim");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pvc/nope       | not found: PersistentVolumeClaim \"nope\" in namespace \"default\"",
        "secret/x       | \"secret\" cannot be explained; supported kinds: pvc/NAME, pv/NAME, pod/NAME, class/NAME, volumeattachment/NAME, node/NAME",
        "data           | \"data\" does not name an object: specify KIND/NAME",
        "pvc/           | does not name an object",
        "pvc/a/b        | invalid name of a PersistentVolumeClaim",
        "pvc/..         | invalid name of a PersistentVolumeClaim",
      })
  void wrongName_isReportedInOneLine(String object, String problem) throws Exception {
    mayRead(CORE + "," + NAMESPACED, "storageclasses");
    ExplainResult asked = explain(object);
    assertThat(asked.code()).isEqualTo(1);
    assertThat(asked.errors().lines()).hasSize(1);
    assertThat(asked.errors()).startsWith("mooring: ").contains(problem);
  }

  @Test
  void typo_isReportedFirst() throws Exception {
    Path missing = folder.resolve("missing");
    assertThat(ExplainResult.of(missing, Resources.plugins(), "pvc").errors())
        .contains("does not name an object");
    assertThat(ExplainResult.of(missing, Resources.plugins(), "-A", "pvc/data").errors())
        .contains("omit one");
  }

  @Test
  void server_unreachable_isNamed() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("nowhere"), server.kubeconfig().replace(":" + server.port(), ":1"));
    ExplainResult asked = ExplainResult.of(config, Resources.plugins(), "pvc/data");
    assertThat(asked.code()).isEqualTo(1);
    assertThat(asked.errors().lines()).hasSize(1);
    assertThat(asked.errors()).contains("127.0.0.1:1");
  }
}
