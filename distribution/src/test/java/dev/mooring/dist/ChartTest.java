package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import dev.mooring.cluster.Right;
import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.manager.Main;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.rights.Role;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1StorageClass;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The chart, as helm renders it, and the kustomize bases that are made of it. With {@code
 * -Dmooring.write=docs} what is made of code is written anew.
 */
class ChartTest {
  private static final String DRIVER =
      "csi: {drivers: [{name: hostpath.csi.k8s.io, socket: /csi/csi.sock}]}\n";

  @BeforeAll
  static void helm() {
    assumeTrue(Rendered.helmIsHere(), "skipped: helm's library is here for Linux on amd64 only");
  }

  private static void verify(Path file, String wanted) throws IOException {
    if (System.getProperty("mooring.write", "").equals("docs")) {
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
    return Stream.concat(
        modes.stream().flatMap(mode -> more.stream().map(m -> mode + m)), valuesWithPages());
  }

  private static Stream<String> valuesWithPages() {
    List<String> alone =
        List.of(
            "",
            "console: {tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "console: {tlsSecret: certificate, clientCaSecret: authority}\nreplicas: 1\n",
            "plugins: {volume: {image: {reference: example.com/plugins:1}}, allowConfigMap: allowed}\nextraArgs: [--compat=kcm]\n",
            "features: {snapshotController: true, selinuxWarnings: true}\n",
            "metrics: {prometheusRule: {enabled: true, labels: {a: b}}}\n");
    List<String> beside =
        List.of(
            "console: {enabled: true}\n",
            "console: {enabled: true, tlsSecret: certificate}\nnetworkPolicy: {enabled: true}\n",
            "console: {enabled: true, tlsSecret: certificate, clientCaSecret: authority}\nmetrics: {enabled: true, tlsSecret: certificate, serviceMonitor: {enabled: true, labels: {a: b}, interval: 1m}, prometheusRule: {enabled: true}}\n");
    return Stream.concat(
        alone.stream().map(m -> "mode: console\n" + m),
        Stream.of("mode: replace\n", "mode: beside\n", "mode: csi\n" + DRIVER)
            .flatMap(mode -> beside.stream().map(m -> mode + m)));
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

  private static List<Right> rights(Rendered rendered) throws Exception {
    return switch (rendered.command()) {
      case "run" -> RunFlags.rights(rendered.flags());
      case "console" ->
          RunFlags.rightsOfPage(
              rendered.flags().stream()
                  .map(flag -> flag.replace("--listen=", "--console="))
                  .toList());
      default -> throw new IllegalArgumentException(rendered.command());
    };
  }

  private static Set<String> needed(List<Right> rights, boolean recycles) {
    Set<String> needed = new TreeSet<>();
    for (Role role : Role.allowing(rights, List.of(Rendered.NAMESPACE))) {
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
        .isEqualTo(needed(rights(rendered), !values.contains("recycler: false")));
    assertThat(rendered.container().getAsJsonObject("livenessProbe")).isNotNull();
    assertThat(rendered.all("PodDisruptionBudget")).hasSize(values.contains("replicas: 1") ? 0 : 1);
  }

  @Test
  void directoriesOfAnExportAreMadeAsThePluginWantsIt() throws Exception {
    Rendered rendered =
        Rendered.of(
            "mode: beside\nnfs: {server: 10.0.0.1, path: /srv/k8s, provisionerName: cluster.local/nfs, earlierVolumes: archive, runAsUser: 0}\n");
    rendered.decode();
    assertThat(rendered.rights()).isEqualTo(needed(rights(rendered), true));
    assertThat(rendered.flags()).contains("--plugin-setting=nfs-earlier-volumes=archive");
    assertThat(rendered.container().getAsJsonArray("env").toString())
        .contains(
            "{\"name\":\"NFS_SERVER\",\"value\":\"10.0.0.1\"}",
            "{\"name\":\"NFS_PATH\",\"value\":\"/srv/k8s\"}",
            "{\"name\":\"PROVISIONER_NAME\",\"value\":\"cluster.local/nfs\"}");
    assertThat(rendered.container().getAsJsonArray("volumeMounts").toString())
        .contains("{\"name\":\"nfs\",\"mountPath\":\"/persistentvolumes\"}");
    assertThat(rendered.podSpec().getAsJsonArray("volumes").toString())
        .contains("{\"name\":\"nfs\",\"nfs\":{\"server\":\"10.0.0.1\",\"path\":\"/srv/k8s\"}}");
    JsonObject security = rendered.container().getAsJsonObject("securityContext");
    assertThat(security.get("runAsUser").getAsInt()).isZero();
    assertThat(security.get("runAsNonRoot").getAsBoolean()).isFalse();
    assertThat(security.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();

    Rendered claimed =
        Rendered.of("mode: beside\nnfs: {server: 10.0.0.1, path: /srv/k8s, claim: export}\n");
    claimed.decode();
    isRestricted(claimed.podSpec());
    assertThat(claimed.podSpec().getAsJsonArray("volumes").toString())
        .contains("{\"name\":\"nfs\",\"persistentVolumeClaim\":{\"claimName\":\"export\"}}");
    assertThat(claimed.container().getAsJsonObject("securityContext").has("runAsUser")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"replace", "beside"})
  void directoriesOfNodesAreMadeAsThePluginWantsIt(String mode) throws Exception {
    Rendered rendered =
        Rendered.of(
            "mode: "
                + mode
                + "\nimage: {repository: example.com/m, tag: \"1\", pullSecrets: [{name: a}, {name: b}]}\nlocalPath: {configMap: local-path-config, podsNamespace: helpers, nodeGone: forget, provisionerName: cluster.local/lp}\n");
    rendered.decode();
    isRestricted(rendered.podSpec());
    assertThat(rendered.rights()).isEqualTo(needed(rights(rendered), true));
    assertThat(rendered.flags())
        .contains(
            "--plugin-pods-namespace=helpers",
            "--plugin-setting=local-path-config=/local-path/config.json",
            "--plugin-setting=local-path-helper-image=example.com/m:1",
            "--plugin-setting=local-path-helper-pull-secrets=a,b",
            "--plugin-setting=local-path-node-gone=forget");
    assertThat(rendered.container().getAsJsonArray("env").toString())
        .contains("{\"name\":\"LOCAL_PATH_PROVISIONER_NAME\",\"value\":\"cluster.local/lp\"}");
    assertThat(rendered.container().getAsJsonArray("volumeMounts").toString())
        .contains("{\"name\":\"local-path\",\"mountPath\":\"/local-path\",\"readOnly\":true}");
    assertThat(rendered.podSpec().getAsJsonArray("volumes").toString())
        .contains("{\"name\":\"local-path\",\"configMap\":{\"name\":\"local-path-config\"}}");

    Rendered own = Rendered.of("mode: " + mode + "\nlocalPath: {configMap: c}\n");
    own.decode();
    assertThat(own.rights()).isEqualTo(needed(rights(own), true));
    assertThat(own.flags()).contains("--plugin-pods-namespace=" + Rendered.NAMESPACE);
  }

  /** What {@code mooring migrate nfs-subdir} writes is what the chart takes. */
  @Test
  void valuesThatAreTranslatedAreTaken(@TempDir Path folder) throws Exception {
    Path theirs =
        Files.writeString(
            folder.resolve("theirs.yaml"),
            """
            replicaCount: 1
            imagePullSecrets: [{name: pull}]
            nfs: {server: 10.0.0.1, path: /srv/k8s}
            storageClass: {provisionerName: cluster.local/nfs, defaultClass: true}
            serviceAccount: {create: false, name: mine, annotations: {a: b}}
            podAnnotations: {c: d}
            labels: {e: f}
            nodeSelector: {g: h}
            tolerations: [{operator: Exists}]
            affinity: {nodeAffinity: {}}
            priorityClassName: high
            podDisruptionBudget: {enabled: true}
            """);
    assertThat(Main.execute("migrate", "nfs-subdir", theirs.toString(), "--into=" + folder))
        .isZero();
    Rendered rendered = Rendered.of(Files.readString(folder.resolve("mooring-values.yaml")));
    rendered.decode();
    assertThat(rendered.flags()).contains("--mode=beside");
    assertThat(rendered.podSpec().toString())
        .contains(
            "\"PROVISIONER_NAME\",\"value\":\"cluster.local/nfs\"", "\"g\":\"h\"", "\"pull\"");
    V1StorageClass.validateJsonElement(
        new Gson()
            .toJsonTree(new Yaml().load(Files.readString(folder.resolve("mooring-class.yaml")))));
  }

  /** The same of {@code mooring migrate local-path}. */
  @Test
  void valuesOfLocalPathThatAreTranslatedAreTaken(@TempDir Path folder) throws Exception {
    Path theirs =
        Files.writeString(
            folder.resolve("theirs.yaml"),
            """
            kind: ConfigMap
            data:
              config.json: '{"sharedFileSystemPath": "/mnt/shared"}'
              helperPod.yaml: '{"spec": {"imagePullSecrets": [{"name": "pull"}]}}'
            ---
            {kind: StorageClass, apiVersion: storage.k8s.io/v1, provisioner: example.com/local, metadata: {name: a}, parameters: {nodePath: /mnt/shared}}
            ---
            {kind: StorageClass, apiVersion: storage.k8s.io/v1, provisioner: example.com/local, metadata: {name: b}}
            """);
    assertThat(
            Main.execute(
                "migrate",
                "local-path",
                theirs.toString(),
                "--provisioner=example.com/local",
                "--into=" + folder))
        .isZero();
    Rendered rendered = Rendered.of(Files.readString(folder.resolve("mooring-values.yaml")));
    rendered.decode();
    assertThat(rendered.flags())
        .contains(
            "--mode=beside",
            "--plugin-pods-namespace=mooring-local-path",
            "--plugin-setting=local-path-helper-pull-secrets=pull");
    assertThat(rendered.podSpec().toString())
        .contains(
            "\"LOCAL_PATH_PROVISIONER_NAME\",\"value\":\"example.com/local\"",
            "\"configMap\":{\"name\":\"local-path-config\"}");
    int classes = 0;
    for (Object one : new Yaml().loadAll(Files.readString(folder.resolve("mooring-class.yaml")))) {
      V1StorageClass.validateJsonElement(new Gson().toJsonTree(one));
      classes++;
    }
    assertThat(classes).isEqualTo(2);
    V1ConfigMap.validateJsonElement(
        new Gson()
            .toJsonTree(new Yaml().load(Files.readString(folder.resolve("mooring-config.yaml")))));
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
  void aPageAloneRunsNoControllersAndIsForThoseWhoMayLook() throws Exception {
    Rendered near = Rendered.of("mode: console\n");
    near.decode();
    assertThat(near.command()).isEqualTo("console");
    assertThat(near.flags()).containsExactly("--listen=127.0.0.1:10288");
    assertThat(near.all("Service")).isEmpty();
    assertThat(near.container().getAsJsonObject("readinessProbe").toString())
        .contains("\"health\",\"--endpoints=127.0.0.1:10288\"");
    assertThat(near.rights())
        .noneMatch(right -> right.matches("(create|patch|update|delete) .*"))
        .noneMatch(right -> right.contains("secrets"));

    Rendered far =
        Rendered.of(
            "mode: console\nconsole: {tlsSecret: certificate, clientCaSecret: authority}\n");
    far.decode();
    assertThat(far.flags())
        .containsExactly(
            "--listen=0.0.0.0:10288",
            "--tls-cert-file=/tls/tls.crt",
            "--tls-private-key-file=/tls/tls.key",
            "--client-ca-file=/client-ca/ca.crt");
    assertThat(far.all("Service").toString()).contains("\"port\":10288");
    assertThat(
            far.container().getAsJsonObject("readinessProbe").getAsJsonObject("httpGet").toString())
        .isEqualTo("{\"path\":\"/readyz\",\"port\":\"console\",\"scheme\":\"HTTPS\"}");
    assertThat(far.all("ClusterRole").toString())
        .contains("mooring-console-reader", "[\"/console\",\"/console/*\"]");
    assertThat(far.rights())
        .contains(Rendered.right("create", "authentication.k8s.io", "tokenreviews", "", ""));
  }

  @Test
  void rulesAndMonitorAreForPrometheusOperator() throws Exception {
    verify(
        Rendered.CHART.resolve("files/alerts.yaml"),
        Files.readString(Path.of("..", "deploy", "monitoring", "alerts.yaml")));
    Rendered rendered =
        Rendered.of(
            "metrics: {enabled: true, serviceMonitor: {enabled: true, labels: {release: p}}, prometheusRule: {enabled: true}}\n");
    rendered.decode();
    JsonObject rule = rendered.all("PrometheusRule").getFirst();
    assertThat(rule.getAsJsonObject("spec"))
        .isEqualTo(
            new Gson()
                .toJsonTree(
                    new Yaml()
                        .load(
                            Files.readString(
                                Path.of("..", "deploy", "monitoring", "alerts.yaml")))));
    JsonObject monitor = rendered.all("ServiceMonitor").getFirst();
    assertThat(
            monitor
                .getAsJsonObject("metadata")
                .getAsJsonObject("labels")
                .get("release")
                .getAsString())
        .isEqualTo("p");
    JsonObject service = rendered.all("Service").getFirst();
    assertThat(service.getAsJsonObject("metadata").getAsJsonObject("labels").entrySet())
        .containsAll(
            monitor
                .getAsJsonObject("spec")
                .getAsJsonObject("selector")
                .getAsJsonObject("matchLabels")
                .entrySet());
    assertThat(service.toString()).contains("\"name\":\"metrics\"");
    Rendered without = Rendered.of("mode: beside\n");
    assertThat(without.all("ServiceMonitor")).isEmpty();
    assertThat(without.all("PrometheusRule")).isEmpty();
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
            "mode: csi\n" + DRIVER,
            "console",
            "mode: console\n");
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
