package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.rights.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chart, as helm renders it, and the kustomize bases that are made of it. With {@code
 * -Dmooring.write-docs} what is made of code is written anew.
 */
class ChartTest {
  private static final String DRIVER =
      "csi: {drivers: [{name: hostpath.csi.k8s.io, socket: /csi/csi.sock}]}\n";

  @BeforeAll
  static void helm() {
    assumeTrue(Rendered.helmIsHere(), "skipped: helm's library is here for Linux on amd64 only");
  }

  private static void verify(Path file, String wanted) throws IOException {
    if (Boolean.getBoolean("mooring.write-docs")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, wanted);
    }
    assertThat(file).hasContent(wanted);
  }

  @Test
  void theRulesAreWhatControllersDeclare() throws Exception {
    verify(Rendered.CHART.resolve("templates/_rights.tpl"), ChartRights.template());
  }

  @Test
  void nothingIsFoundByLint() {
    LintResult found = new Helm(Rendered.CHART).lint().strict().call();
    assertThat(found.isFailed()).as(found.getMessages().toString()).isFalse();
  }

  static Stream<String> values() {
    List<String> modes =
        List.of(
            "mode: replace\n",
            "mode: beside\n",
            "mode: csi\n" + DRIVER,
            "mode: replace\n" + DRIVER);
    List<String> more =
        List.of(
            "",
            "replicas: 1\nnetworkPolicy: {enabled: true}\n",
            "features: {snapshotController: true, selinuxWarnings: true}\n",
            "features: {failoverByEvidence: true, unusedClaims: true, recycler: false}\n",
            "plugins: {volume: {image: {reference: example.com/plugins:1}}, allowConfigMap: allowed}\n",
            "extraArgs: [--kube-api-qps=50, -v=2]\nlogging: text\npriorityClassName: \"\"\n",
            "podAnnotations: {a: b}\npodLabels: {c: d}\nnodeSelector: {e: f}\ntolerations: [{operator: Exists}]\naffinity: {nodeAffinity: {}}\n",
            "metrics: {enabled: true, tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "serviceAccount: {create: false, name: mine}\nleaderElection: {leaseName: other}\nfullnameOverride: moored\n");
    return modes.stream().flatMap(mode -> more.stream().map(m -> mode + m));
  }

  /** Kubernetes' restricted Pod Security, which namespaces enforce by a label. */
  private static void isRestricted(JsonObject pod) {
    JsonObject security = pod.getAsJsonObject("securityContext");
    assertThat(security.get("runAsNonRoot").getAsBoolean()).isTrue();
    assertThat(security.getAsJsonObject("seccompProfile").get("type").getAsString())
        .isEqualTo("RuntimeDefault");
    assertThat(pod.has("hostNetwork") || pod.has("hostPID") || pod.has("hostIPC")).isFalse();
    for (JsonElement volume : pod.getAsJsonArray("volumes")) {
      assertThat(volume.getAsJsonObject().has("hostPath")).isFalse();
    }
    JsonObject own =
        pod.getAsJsonArray("containers")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("securityContext");
    assertThat(own.get("allowPrivilegeEscalation").getAsBoolean()).isFalse();
    assertThat(own.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();
    assertThat(own.getAsJsonObject("capabilities").get("drop").toString()).isEqualTo("[\"ALL\"]");
  }

  private static Set<String> needed(List<String> flags, boolean recycles) throws Exception {
    Set<String> needed = new TreeSet<>();
    for (Role role : Role.allowing(RunFlags.rights(flags), List.of(Rendered.NAMESPACE))) {
      for (Role.Rule rule : role.rules()) {
        for (Verb verb : rule.verbs()) {
          for (String resource : rule.resources()) {
            for (String name : rule.names().isEmpty() ? List.of("") : rule.names()) {
              needed.add(
                  Rendered.right(verb.toString(), rule.group(), resource, name, role.namespace()));
            }
          }
        }
      }
    }
    needed.removeIf(right -> !recycles && right.endsWith(" in default"));
    return needed;
  }

  @ParameterizedTest
  @MethodSource("values")
  void everythingIsKnownToKubernetesAndAllowedIsJustWhatIsNeeded(String values) throws Exception {
    Rendered rendered = Rendered.of(values);
    rendered.decode();
    isRestricted(rendered.podSpec());
    assertThat(rendered.rights())
        .isEqualTo(needed(rendered.flags(), !values.contains("recycler: false")));
    assertThat(rendered.container().getAsJsonObject("livenessProbe")).isNotNull();
    assertThat(rendered.all("PodDisruptionBudget")).hasSize(values.contains("replicas: 1") ? 0 : 1);
  }

  @Test
  void capacityBelongsToTheDeployment() throws Exception {
    Rendered rendered =
        Rendered.of(
            "mode: csi\ncsi: {drivers: [{name: d, socket: /csi/csi.sock, settings: timeout=1m}], capacity: true, snapshots: true, secretsNamespaces: [vault]}\n");
    rendered.decode();
    assertThat(rendered.flags())
        .contains(
            "--csi-endpoint=d=unix:///csi/csi.sock,timeout=1m",
            "--enable-capacity",
            "--enable-snapshots");
    assertThat(rendered.rights())
        .contains(
            Rendered.right("get", "apps", "replicasets", "", Rendered.NAMESPACE),
            Rendered.right("get", "", "secrets", "", "vault"),
            Rendered.right(
                "create", "storage.k8s.io", "csistoragecapacities", "", Rendered.NAMESPACE))
        .doesNotContain(Rendered.right("get", "", "secrets", "", Rendered.NAMESPACE))
        .noneMatch(right -> right.contains(Target.WHERE_CLASSES_SAY));
  }

  @Test
  void metricsAreForWhomTheServerLetsHaveThem() throws Exception {
    Rendered rendered = Rendered.of("metrics: {enabled: true}\n");
    rendered.decode();
    assertThat(rendered.flags()).contains("--endpoints=0.0.0.0:10277");
    assertThat(rendered.rights())
        .contains(
            Rendered.right("create", "authentication.k8s.io", "tokenreviews", "", ""),
            Rendered.right("create", "authorization.k8s.io", "subjectaccessreviews", "", ""));
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      assertThat(
              rendered
                  .container()
                  .getAsJsonObject(probe)
                  .getAsJsonObject("httpGet")
                  .get("scheme")
                  .getAsString())
          .isEqualTo("HTTPS");
    }
    assertThat(rendered.all("Service")).hasSize(1);
    assertThat(Rendered.of("mode: beside\n").all("Service")).isEmpty();
  }

  @Test
  void aDriverRunsInTheSamePod() throws Exception {
    Rendered rendered =
        Rendered.of(
            "mode: csi\ncsi: {drivers: [{name: d, socket: /csi/csi.sock}], containers: [{name: driver, image: d, volumeMounts: [{name: tmp, mountPath: /t}]}]}\n");
    rendered.decode();
    JsonObject driver = rendered.podSpec().getAsJsonArray("containers").get(1).getAsJsonObject();
    assertThat(driver.getAsJsonArray("volumeMounts").toString())
        .contains("\"mountPath\":\"/t\"", "\"mountPath\":\"/csi\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode: replac                                    | /mode",
        "replicas: two                                   | /replicas",
        "image: {repo: x}                                | /image",
        "extraArgs: [run]                                | /extraArgs/0",
        "csi: {drivers: [{name: d}]}                     | /csi/drivers/0",
        "mode: csi                                       | /csi/drivers",
        "features: {recycling: true}                     | /features",
        "metrics: {tlsSecret: A}                         | /metrics/tlsSecret",
        "imagePullPolicy: Always                         | additional properties 'imagePullPolicy'",
      })
  void wrongValuesAreRefusedByTheirPath(String values, String path) {
    assertThatThrownBy(() -> Rendered.of(values)).hasMessageContaining(path);
  }

  @Test
  void theKustomizeBasesAreTheChart() throws Exception {
    Map<String, String> bases =
        Map.of(
            "replace",
            "mode: replace\n",
            "beside",
            "mode: beside\n",
            "csi",
            "mode: csi\n" + DRIVER);
    for (Map.Entry<String, String> base : bases.entrySet()) {
      Path folder = Path.of("..", "deploy", "kustomize").resolve(base.getKey());
      List<String> lines = new ArrayList<>();
      Rendered.of(base.getValue(), "mooring")
          .text()
          .lines()
          .filter(line -> !line.contains("helm.sh/chart:") && !line.contains("managed-by: Helm"))
          .filter(line -> !line.startsWith("# Source:"))
          .forEach(lines::add);
      verify(folder.resolve("mooring.yaml"), String.join("\n", lines) + "\n");
      verify(
          folder.resolve("kustomization.yaml"),
          "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [mooring.yaml]\n");
    }
  }
}
