package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.mooring.manager.Main;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1StorageClass;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Rendered chart for the NFS and local-path plugins, including values that {@code mooring migrate}
 * writes.
 */
class ChartPluginsTest extends ChartFixture {
  @Test
  void nfsValues_serverAndPath_configurePlugin() throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
            "mode: beside\nnfs: {server: 10.0.0.1, path: /srv/k8s, provisionerName: cluster.local/nfs, earlierVolumes: archive, runAsUser: 0}\n");
    rendered.decode();
    assertThat(rendered.rights()).isEqualTo(neededRights(rights(rendered), true));
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

    RenderedChart claimed =
        RenderedChart.of("mode: beside\nnfs: {server: 10.0.0.1, path: /srv/k8s, claim: export}\n");
    claimed.decode();
    assertRestricted(claimed.podSpec());
    assertThat(claimed.podSpec().getAsJsonArray("volumes").toString())
        .contains("{\"name\":\"nfs\",\"persistentVolumeClaim\":{\"claimName\":\"export\"}}");
    assertThat(claimed.container().getAsJsonObject("securityContext").has("runAsUser")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"replace", "beside"})
  void localPathValues_configMap_configuresPlugin(String mode) throws Exception {
    RenderedChart rendered =
        RenderedChart.of(
            "mode: "
                + mode
                + "\nimage: {repository: example.com/m, tag: \"1\"}\nimagePullSecrets: [{name: a}, {name: b}]\nlocalPath: {configMap: local-path-config, podsNamespace: helpers, nodeGone: forget, provisionerName: cluster.local/lp}\n");
    rendered.decode();
    assertRestricted(rendered.podSpec());
    assertThat(rendered.rights()).isEqualTo(neededRights(rights(rendered), true));
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

    RenderedChart ownNamespace =
        RenderedChart.of("mode: " + mode + "\nlocalPath: {configMap: c}\n");
    ownNamespace.decode();
    assertThat(ownNamespace.rights()).isEqualTo(neededRights(rights(ownNamespace), true));
    assertThat(ownNamespace.flags()).contains("--plugin-pods-namespace=" + RenderedChart.NAMESPACE);
  }

  /** The output of {@code mooring migrate nfs-subdir} must be valid values of the chart. */
  @Test
  void migrate_nfsSubdirValues_areAcceptedByChart(@TempDir Path folder) throws Exception {
    Path sourceValues =
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
    assertThat(Main.execute("migrate", "nfs-subdir", sourceValues.toString(), "--into=" + folder))
        .isZero();
    RenderedChart rendered =
        RenderedChart.of(Files.readString(folder.resolve("mooring-values.yaml")));
    rendered.decode();
    assertThat(rendered.flags()).contains("--mode=beside");
    assertThat(rendered.podSpec().toString())
        .contains(
            "\"PROVISIONER_NAME\",\"value\":\"cluster.local/nfs\"", "\"g\":\"h\"", "\"pull\"");
    V1StorageClass.validateJsonElement(
        new Gson()
            .toJsonTree(new Yaml().load(Files.readString(folder.resolve("mooring-class.yaml")))));
  }

  /** The output of {@code mooring migrate local-path} must be valid values of the chart. */
  @Test
  void migrate_localPathValues_areAcceptedByChart(@TempDir Path folder) throws Exception {
    Path sourceValues =
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
                sourceValues.toString(),
                "--provisioner=example.com/local",
                "--into=" + folder))
        .isZero();
    RenderedChart rendered =
        RenderedChart.of(Files.readString(folder.resolve("mooring-values.yaml")));
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
    for (Object object :
        new Yaml().loadAll(Files.readString(folder.resolve("mooring-class.yaml")))) {
      V1StorageClass.validateJsonElement(new Gson().toJsonTree(object));
      classes++;
    }
    assertThat(classes).isEqualTo(2);
    V1ConfigMap.validateJsonElement(
        new Gson()
            .toJsonTree(new Yaml().load(Files.readString(folder.resolve("mooring-config.yaml")))));
  }
}
