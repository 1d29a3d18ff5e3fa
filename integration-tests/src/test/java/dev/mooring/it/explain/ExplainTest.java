package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.CommandResult;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code mooring explain} with read-only access to a cluster. */
@Isolated("replaces the standard streams")
class ExplainTest {
  private static final String CORE_KINDS = "persistentvolumes,nodes";
  private static final String NAMESPACED_KINDS = "persistentvolumeclaims,pods,events";

  @TempDir private Path folder;
  private ApiServer server;
  private RestApi admin;

  @BeforeEach
  void start() throws Exception {
    server =
        ApiServer.start(
            new ApiServer.ServerOptions(0, "admin-token", null)
                .withAuditLog(folder.resolve("audit")));
    admin = RestApi.of(server, "admin-token");
    server.tokens().accept(ReadOnlyAccount.TOKEN, ReadOnlyAccount.USER);
    new CaseObjects(admin).create(initialObjects());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static JsonArray initialObjects() {
    return JsonParser.parseString(
            """
            [{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-a"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}, "status": {"phase": "Available"}},
             {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "2Gi"}}}},
             {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "late", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "late", "resources": {"requests": {"storage": "2Gi"}}}},
             {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "late"}, "provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer"}]
            """)
        .getAsJsonArray();
  }

  private void grantRead(String core, String storage) throws Exception {
    ReadOnlyAccount.grantRead(admin, core, storage);
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        server.kubeconfig().replace("admin-token", ReadOnlyAccount.TOKEN));
  }

  private CommandResult explain(String... args) throws Exception {
    return CommandResult.ofExplain(kubeconfig(), Resources.plugins(), args);
  }

  private List<String> mooringVerbs() throws IOException {
    return AuditEvent.read(folder.resolve("audit")).stream()
        .filter(event -> event.userAgent().startsWith("mooring"))
        .map(AuditEvent::verb)
        .toList();
  }

  @Test
  void explain_readOnlyAccess_succeedsWithoutWrites() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    try (JavaProcess process =
        JavaProcess.startMooring(
            "explain",
            "--kubeconfig=" + kubeconfig(),
            "--plugins=" + Resources.plugins(),
            "pvc/data")) {
      assertThat(process.exitCode()).isEqualTo(3);
      assertThat(process.output())
          .anyMatch(line -> line.contains("NoVolume"))
          .anyMatch(line -> line.contains("has 1Gi, not 2Gi"));
    }
    assertThat(mooringVerbs()).isNotEmpty().allMatch(ReadOnlyAccount.READS::contains);
  }

  @Test
  void watch_changes_arePrintedUntilClaimIsBound() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses,csidrivers,volumeattachments");
    try (JavaProcess process =
        JavaProcess.startMooring(
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
      patchObject(
          "PersistentVolumeClaim",
          "default",
          "data",
          "",
          "{\"metadata\": {\"annotations\": {\"pv.kubernetes.io/bind-completed\": \"yes\"}}, \"spec\": {\"volumeName\": \"pv-a\"}}");
      patchObject(
          "PersistentVolume",
          "",
          "pv-a",
          "",
          "{\"spec\": {\"claimRef\": {\"kind\": \"PersistentVolumeClaim\", \"namespace\": \"default\", \"name\": \"data\", \"uid\": \"%s\"}}}"
              .formatted(uid));
      process.awaitLine(line -> line.contains("Binding"));
      patchObject("PersistentVolume", "", "pv-a", "status", "{\"status\": {\"phase\": \"Bound\"}}");
      patchObject(
          "PersistentVolumeClaim",
          "default",
          "data",
          "status",
          "{\"status\": {\"phase\": \"Bound\", \"capacity\": {\"storage\": \"2Gi\"}}}");
      assertThat(process.exitCode()).isZero();
      assertThat(process.output()).anyMatch(line -> line.contains("it is bound to volume pv-a"));
    }
    assertThat(mooringVerbs()).isNotEmpty().allMatch(ReadOnlyAccount.READS::contains);
  }

  private void patchObject(
      String kind, String namespace, String name, String subresource, String body)
      throws Exception {
    admin.patch(kind, namespace, name, subresource, JsonParser.parseString(body).getAsJsonObject());
  }

  @Test
  void explainAll_waitingObjects_areSorted() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    CommandResult result = explain("-A");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.out())
        .startsWith("2 of 3 objects are waiting, for 2 causes:")
        .contains("pvc/data in namespace default", "NoVolume")
        .contains("pvc/late in namespace default", "WaitsForConsumer");
    assertThat(explain("-n", "elsewhere").out()).startsWith("0 of 0 objects are waiting");
    assertThat(explain("-n", "elsewhere").code()).isZero();
  }

  @Test
  void namespace_missing_isError() throws Exception {
    grantRead(CORE_KINDS + ",namespaces," + NAMESPACED_KINDS, "storageclasses");
    CommandResult result = explain("-n", "elsewhere");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors()).contains("unknown namespace \"elsewhere\"");
    assertThat(result.out()).isEmpty();
    assertThat(explain("-n", "kube-system").out()).startsWith("0 of 0 objects are waiting");
  }

  @Test
  void namespace_unreadable_isReportedUnknown() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    assertThat(explain("-n", "elsewhere").out())
        .contains("Unread  namespaces", "whether namespace elsewhere exists");
    assertThat(explain("-n", "default").out()).doesNotContain("Unread  namespaces");
  }

  @Test
  void explainAll_classesAttachmentsAndNodes_areListed() throws Exception {
    grantRead(
        CORE_KINDS + "," + NAMESPACED_KINDS,
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
        .startsWith("3 of 5 objects are waiting, for 3 causes:")
        .contains("volumeattachment/va-1", "VolumeObjectAbsent")
        .doesNotContain("Unread");
  }

  @Test
  void missingRights_skippedKinds_areNamed() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    assertThat(explain("-A").out().lines().map(String::strip).collect(Collectors.joining(" ")))
        .contains("Unread", "(unknown: whether", "volumeattachments", "nodes wait", "403");
    JsonObject list = JsonParser.parseString(explain("-A", "-o", "json").out()).getAsJsonObject();
    assertThat(list.getAsJsonArray("unseen")).isNotEmpty();
  }

  @Test
  void missingRights_driver_isNotReportedAbsent() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    CommandResult result = explain("class/late");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.out()).contains("Unread  csidrivers", "whether its driver is installed");
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
    grantRead(CORE_KINDS + ",persistentvolumeclaims,pods", "storageclasses");
    assertThat(explain("pvc/data").out())
        .contains("NoVolume", "Unread  events (unknown: the object's events)");
  }

  @Test
  void namespace_default_comesFromContext() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    Path config =
        Files.writeString(
            folder.resolve("elsewhere"),
            server
                .kubeconfig()
                .replace("admin-token", ReadOnlyAccount.TOKEN)
                .replace("mooring, user", "mooring, namespace: elsewhere, user"));
    assertThat(Files.readString(config)).contains("namespace: elsewhere");
    assertThat(CommandResult.ofExplain(config, Resources.plugins(), "pvc/data").errors())
        .contains("in namespace \"elsewhere\"");
    assertThat(
            CommandResult.ofExplain(config, Resources.plugins(), "pvc/data", "-n", "default").out())
        .contains("NoVolume");
  }

  @Test
  void jsonOutput_waitingClaim_hasReasonAndEvidence() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
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
    grantRead("pods,persistentvolumeclaims", "storageclasses");
    CommandResult result = explain("pvc/data");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.out().lines().map(String::strip).collect(Collectors.joining(" ")))
        .contains("ObjectsUnreadable", "whether a volume suits the claim", "persistentvolumes")
        .contains("403")
        .doesNotContain("NoVolume");
  }

  @Test
  void missingRights_pods_areNotReportedAbsent() throws Exception {
    grantRead(CORE_KINDS + ",persistentvolumeclaims", "storageclasses");
    assertThat(explain("pvc/late").out())
        .contains("ObjectsUnreadable", "whether a pod uses the claim")
        .doesNotContain("WaitsForConsumer");
  }

  @Test
  void missingRights_class_isNotReportedMissing() throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "csidrivers");
    assertThat(explain("pvc/late").out())
        .contains("ObjectsUnreadable", "class \"late\"")
        .doesNotContain("ClassMissing");
  }

  @Test
  void missingRights_all_areReportedInOneLine() throws Exception {
    for (String[] args : List.of(new String[] {"pvc/data"}, new String[] {"-A"})) {
      CommandResult result = explain(args);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.errors().lines()).hasSize(1);
      assertThat(result.errors()).contains("403", "ersistentvolumeclaim");
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
  void object_wrongName_isReportedInOneLine(String object, String problem) throws Exception {
    grantRead(CORE_KINDS + "," + NAMESPACED_KINDS, "storageclasses");
    CommandResult result = explain(object);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors().lines()).hasSize(1);
    assertThat(result.errors()).startsWith("mooring: ").contains(problem);
  }

  @Test
  void arguments_invalid_areReportedBeforeKubeconfig() throws Exception {
    Path missingConfig = folder.resolve("missing");
    assertThat(CommandResult.ofExplain(missingConfig, Resources.plugins(), "pvc").errors())
        .contains("does not name an object");
    assertThat(
            CommandResult.ofExplain(missingConfig, Resources.plugins(), "-A", "pvc/data").errors())
        .contains("omit one");
  }

  @Test
  void server_unreachable_isNamed() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("nowhere"), server.kubeconfig().replace(":" + server.port(), ":1"));
    CommandResult result = CommandResult.ofExplain(config, Resources.plugins(), "pvc/data");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.errors().lines()).hasSize(1);
    assertThat(result.errors()).contains("127.0.0.1:1");
  }
}
