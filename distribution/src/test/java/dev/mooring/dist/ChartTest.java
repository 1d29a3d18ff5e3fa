package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import dev.mooring.cluster.RbacRule.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Tests the chart as Helm renders it, and the kustomize bases that are generated from it. {@code
 * -Dmooring.write=docs} rewrites generated files.
 */
class ChartTest extends ChartFixture {
  private static final String DRIVER =
      "csi: {drivers: [{name: hostpath.csi.k8s.io, socket: /csi/csi.sock}]}\n";

  private static void assertContent(Path file, String expected) throws IOException {
    if (System.getProperty("mooring.write", "").equals("docs")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, expected);
    }
    assertThat(file).hasContent(expected);
  }

  @Test
  void template_declaredRights_equalsFile() throws Exception {
    assertContent(RenderedChart.CHART.resolve("templates/_rights.tpl"), ChartRights.template());
  }

  @Test
  void readme_allValues_areListed() throws Exception {
    assertContent(
        RenderedChart.CHART.resolve("README.md"),
        ChartReadme.of(Files.readString(RenderedChart.CHART.resolve("values.yaml"))));
  }

  @Test
  void dashboard_enabled_isConfigMapOfTheFile() throws Exception {
    String file = Files.readString(Path.of("..", "deploy", "monitoring", "dashboard.json"));
    assertContent(RenderedChart.CHART.resolve("files/dashboard.json"), file);
    RenderedChart rendered = RenderedChart.of("metrics: {dashboard: {enabled: true}}\n");
    JsonObject map = rendered.ofKind("ConfigMap").getFirst();
    assertThat(map.getAsJsonObject("data").get("mooring.json").getAsString().strip())
        .isEqualTo(file.strip());
    assertThat(map.getAsJsonObject("metadata").getAsJsonObject("labels").has("grafana_dashboard"))
        .isTrue();
  }

  @Test
  void image_withDigest_hasNoTag() throws Exception {
    String digest = "sha256:" + "0".repeat(64);
    RenderedChart rendered =
        RenderedChart.of("image: {repository: r/mooring, tag: x, digest: \"" + digest + "\"}\n");
    assertThat(rendered.container().get("image").getAsString()).isEqualTo("r/mooring@" + digest);
  }

  @Test
  void objects_commonLabels_haveThem() throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
            "commonLabels: {team: storage}\nmode: replace\nnetworkPolicy: {enabled: true}\nmetrics: {enabled: true, serviceMonitor: {enabled: true}, prometheusRule: {enabled: true}, dashboard: {enabled: true}}\n");
    assertThat(rendered.objects())
        .hasSizeGreaterThan(10)
        .allSatisfy(object ->
            assertThat(
                    object
                        .getAsJsonObject("metadata")
                        .getAsJsonObject("labels")
                        .get("team")
                        .getAsString())
                .isEqualTo("storage"));
  }

  @Test
  void chart_lint_hasNoFindings() {
    LintResult result = new Helm(RenderedChart.CHART).lint().strict().call();
    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
  }

  static Stream<String> values() {
    List<String> modes =
        List.of(
            "mode: replace\n",
            "mode: beside\n",
            "mode: csi\n" + DRIVER,
            "mode: replace\n" + DRIVER);
    List<String> options =
        List.of(
            "",
            "replicaCount: 1\nnetworkPolicy: {enabled: true}\n",
            "features: {snapshotController: true, selinuxWarnings: true}\n",
            "features: {snapshotController: true, groupSnapshots: true}\n",
            "features: {snapshotController: true, groupSnapshots: false}\n",
            "leaderElection: {rehearse: 10m}\n",
            "features: {failoverByEvidence: true, unusedClaims: true, recycler: false}\n",
            "plugins: {volume: {image: {reference: example.com/plugins:1}}, allowConfigMap: allowed, populatorNamespace: populators}\n",
            "extraArgs: [--kube-api-qps=50, -v=2]\nlogging: text\npriorityClassName: \"\"\n",
            "podAnnotations: {a: b}\npodLabels: {c: d}\nnodeSelector: {e: f}\ntolerations: [{operator: Exists}]\naffinity: {nodeAffinity: {}}\n",
            "metrics: {enabled: true, tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "metrics: {enabled: true, dashboard: {enabled: true}}\ncommonLabels: {team: storage}\n",
            "imagePullSecrets: [{name: registry}]\nextraEnv: [{name: A, value: b}]\nextraVolumes: [{name: v, emptyDir: {}}]\nextraVolumeMounts: [{name: v, mountPath: /v}]\n",
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}]\n",
            "serviceAccount: {create: false, name: mine}\nleaderElection: {leaseName: other}\nfullnameOverride: moored\n");
    return Stream.concat(
        modes.stream().flatMap(mode -> options.stream().map(m -> mode + m)), valuesWithPages());
  }

  private static Stream<String> valuesWithPages() {
    List<String> consoleOptions =
        List.of(
            "",
            "console: {tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "console: {tlsSecret: certificate, clientCaSecret: authority}\nreplicaCount: 1\n",
            "plugins: {volume: {image: {reference: example.com/plugins:1}}, allowConfigMap: allowed}\nextraArgs: [--compat=kcm]\n",
            "features: {snapshotController: true, selinuxWarnings: true}\n",
            "metrics: {prometheusRule: {enabled: true, labels: {a: b}}}\n");
    List<String> besideOptions =
        List.of(
            "console: {enabled: true}\n",
            "console: {enabled: true, tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "console: {enabled: true, tlsSecret: certificate, clientCaSecret: authority}\nmetrics: {enabled: true, tlsSecret: certificate, serviceMonitor: {enabled: true, labels: {a: b}, interval: 1m}, prometheusRule: {enabled: true}}\n");
    return Stream.concat(
        consoleOptions.stream().map(m -> "mode: console\n" + m),
        Stream.of("mode: replace\n", "mode: beside\n", "mode: csi\n" + DRIVER)
            .flatMap(mode -> besideOptions.stream().map(m -> mode + m)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void chart_anyValues_hasKnownMembersAndExactRights(String values) throws Exception {
    RenderedChart rendered = RenderedChart.of(values);
    rendered.decode();
    assertRestricted(rendered.podSpec());
    assertThat(rendered.rights())
        .isEqualTo(neededRights(rights(rendered), !values.contains("recycler: false")));
    assertThat(rendered.container().getAsJsonObject("livenessProbe")).isNotNull();
    assertThat(rendered.ofKind("PodDisruptionBudget"))
        .hasSize(values.contains("replicaCount: 1") ? 0 : 1);
  }

  @Test
  void csiMode_capacity_grantsRightsInOwnNamespace() throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
            "mode: csi\ncsi: {drivers: [{name: d, socket: /csi/csi.sock, settings: timeout=1m}], capacity: true, snapshots: true, secretsNamespaces: [vault]}\n");
    rendered.decode();
    assertThat(rendered.flags())
        .contains(
            "--csi-endpoint=d=unix:///csi/csi.sock,timeout=1m",
            "--enable-capacity",
            "--enable-snapshots");
    assertThat(rendered.rights())
        .contains(
            RenderedChart.right("get", "apps", "replicasets", "", RenderedChart.NAMESPACE),
            RenderedChart.right("get", "", "secrets", "", "vault"),
            RenderedChart.right(
                "create", "storage.k8s.io", "csistoragecapacities", "", RenderedChart.NAMESPACE))
        .doesNotContain(RenderedChart.right("get", "", "secrets", "", RenderedChart.NAMESPACE))
        .noneMatch(right -> right.contains(Target.NAMESPACES_OF_CLASSES));
  }

  @Test
  void metrics_enabled_requireAuthorization() throws Exception {
    RenderedChart rendered = RenderedChart.of("metrics: {enabled: true}\n");
    rendered.decode();
    assertThat(rendered.flags()).contains("--endpoints=0.0.0.0:10277");
    assertThat(rendered.rights())
        .contains(
            RenderedChart.right("create", "authentication.k8s.io", "tokenreviews", "", ""),
            RenderedChart.right("create", "authorization.k8s.io", "subjectaccessreviews", "", ""));
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
    assertThat(rendered.ofKind("Service")).hasSize(1);
    assertThat(RenderedChart.of("mode: beside\n").ofKind("Service")).isEmpty();
  }

  /** A rule without peers would admit every pod of the cluster. */
  @Test
  void networkPolicy_anyOpenPort_namesItsPeers() throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
            "metrics: {enabled: true}\nconsole: {enabled: true, tlsSecret: certificate}\nnetworkPolicy: {enabled: true, consoleFrom: [{ipBlock: {cidr: 10.0.0.0/8}}]}\n");
    rendered.decode();
    JsonObject policy = rendered.ofKind("NetworkPolicy").getFirst().getAsJsonObject("spec");
    assertThat(policy.getAsJsonArray("ingress"))
        .hasSize(2)
        .allSatisfy(rule -> assertThat(rule.getAsJsonObject().getAsJsonArray("from")).isNotEmpty());
    assertThat(policy.toString())
        .contains("\"app.kubernetes.io/name\":\"prometheus\"", "10.0.0.0/8");
    assertThat(
            RenderedChart.of("networkPolicy: {enabled: true}\n")
                .ofKind("NetworkPolicy")
                .getFirst()
                .getAsJsonObject("spec")
                .has("ingress"))
        .as("no open port")
        .isFalse();
  }

  @Test
  void consoleMode_localOrPublic_grantsReadRightsOnly() throws Exception {
    RenderedChart local = RenderedChart.of("mode: console\n");
    local.decode();
    assertThat(local.command()).isEqualTo("console");
    assertThat(local.flags()).containsExactly("--listen=127.0.0.1:10288");
    assertThat(local.ofKind("Service")).isEmpty();
    assertThat(local.container().getAsJsonObject("readinessProbe").toString())
        .contains("\"health\",\"--endpoints=127.0.0.1:10288\"");
    assertThat(local.rights())
        .noneMatch(right -> right.matches("(create|patch|update|delete) .*"))
        .noneMatch(right -> right.contains("secrets"));

    RenderedChart reachable =
        RenderedChart.of(
            "mode: console\nconsole: {tlsSecret: certificate, clientCaSecret: authority}\n");
    reachable.decode();
    assertThat(reachable.flags())
        .containsExactly(
            "--listen=0.0.0.0:10288",
            "--tls-cert-file=/tls/tls.crt",
            "--tls-private-key-file=/tls/tls.key",
            "--client-ca-file=/client-ca/ca.crt");
    assertThat(reachable.ofKind("Service").toString()).contains("\"port\":10288");
    assertThat(
            reachable
                .container()
                .getAsJsonObject("readinessProbe")
                .getAsJsonObject("httpGet")
                .toString())
        .isEqualTo("{\"path\":\"/readyz\",\"port\":\"console\",\"scheme\":\"HTTPS\"}");
    assertThat(reachable.ofKind("ClusterRole").toString())
        .contains("mooring-console-reader", "[\"/console\",\"/console/*\"]");
    assertThat(reachable.rights())
        .contains(RenderedChart.right("create", "authentication.k8s.io", "tokenreviews", "", ""));
  }

  @Test
  void metrics_operatorObjects_matchOperatorKinds() throws Exception {
    assertContent(
        RenderedChart.CHART.resolve("files/alerts.yaml"),
        Files.readString(Path.of("..", "deploy", "monitoring", "alerts.yaml")));
    RenderedChart rendered =
        RenderedChart.of(
            "metrics: {enabled: true, serviceMonitor: {enabled: true, labels: {release: p}}, prometheusRule: {enabled: true}}\n");
    rendered.decode();
    JsonObject rule = rendered.ofKind("PrometheusRule").getFirst();
    assertThat(rule.getAsJsonObject("spec"))
        .isEqualTo(
            new Gson()
                .toJsonTree(
                    new Yaml()
                        .load(
                            Files.readString(
                                Path.of("..", "deploy", "monitoring", "alerts.yaml")))));
    JsonObject monitor = rendered.ofKind("ServiceMonitor").getFirst();
    assertThat(
            monitor
                .getAsJsonObject("metadata")
                .getAsJsonObject("labels")
                .get("release")
                .getAsString())
        .isEqualTo("p");
    JsonObject service = rendered.ofKind("Service").getFirst();
    assertThat(service.getAsJsonObject("metadata").getAsJsonObject("labels").entrySet())
        .containsAll(
            monitor
                .getAsJsonObject("spec")
                .getAsJsonObject("selector")
                .getAsJsonObject("matchLabels")
                .entrySet());
    assertThat(service.toString()).contains("\"name\":\"metrics\"");
    RenderedChart plain = RenderedChart.of("mode: beside\n");
    assertThat(plain.ofKind("ServiceMonitor")).isEmpty();
    assertThat(plain.ofKind("PrometheusRule")).isEmpty();
  }

  @Test
  void csiMode_driverContainer_sharesPod() throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
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
        "replicaCount: two                               | /replicaCount",
        "image: {digest: latest}                         | /image/digest",
        "imagePullSecrets: [registry]                    | /imagePullSecrets/0",
        "extraEnv: [{value: v}]                          | /extraEnv/0",
        "image: {repo: x}                                | /image",
        "extraArgs: [run]                                | /extraArgs/0",
        "csi: {drivers: [{name: d}]}                     | /csi/drivers/0",
        "mode: csi                                       | /csi/drivers",
        "features: {recycling: true}                     | /features",
        "{mode: console, metrics: {enabled: true}}       | /metrics/enabled",
        "{mode: console, csi: {drivers: [{name: d, socket: /s}]}} | /csi/drivers",
        "metrics: {serviceMonitor: {enabled: true}}     | /metrics/enabled",
        "metrics: {enabled: true, serviceMonitor: {interval: often}} | /metrics/serviceMonitor/interval",
        "nfs: {server: s}                               | /nfs/path",
        "{mode: console, nfs: {server: s, path: /p}}     | /mode",
        "nfs: {earlierVolumes: forget}                  | /nfs/earlierVolumes",
        "{mode: console, localPath: {configMap: c}}      | /mode",
        "localPath: {nodeGone: delete}                   | /localPath/nodeGone",
        "localPath: {podsNamespace: A.b}                 | /localPath/podsNamespace",
        "metrics: {prometheusRule: {on: true}}          | /metrics/prometheusRule",
        "console: {clientCaSecret: authority}           | /console/tlsSecret",
        "console: {enabled: maybe}                      | /console/enabled",
        "{console: {enabled: true, tlsSecret: a}, metrics: {enabled: true, tlsSecret: b}} | /console/tlsSecret",
        "metrics: {tlsSecret: A}                         | /metrics/tlsSecret",
        "imagePullPolicy: Always                         | additional properties 'imagePullPolicy'",
      })
  void chart_invalidValues_areRejectedByPath(String values, String path) {
    assertThatThrownBy(() -> RenderedChart.of(values)).hasMessageContaining(path);
  }

  @Test
  void kustomize_everyBase_equalsRenderedChart() throws Exception {
    Map<String, String> bases =
        Map.of(
            "replace",
            "mode: replace\n",
            "beside",
            "mode: beside\n",
            "csi",
            "mode: csi\n" + DRIVER,
            "console",
            "mode: console\n");
    for (Map.Entry<String, String> base : bases.entrySet()) {
      Path folder = Path.of("..", "deploy", "kustomize").resolve(base.getKey());
      List<String> lines = new ArrayList<>();
      RenderedChart.of(base.getValue(), "mooring")
          .text()
          .lines()
          .filter(line -> !line.contains("helm.sh/chart:") && !line.contains("managed-by: Helm"))
          .filter(line -> !line.startsWith("# Source:"))
          .forEach(lines::add);
      assertContent(folder.resolve("mooring.yaml"), String.join("\n", lines) + "\n");
      assertContent(
          folder.resolve("kustomization.yaml"),
          "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [mooring.yaml]\n");
    }
  }
}
