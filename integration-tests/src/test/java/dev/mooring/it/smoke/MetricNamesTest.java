package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that Mooring exports every series that kube-controller-manager exports in the same
 * situation: names, types, labels and buckets. Alerts and dashboards keep working.
 */
@Timeout(300)
class MetricNamesTest {
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{(.*)})?(?: [^ ]+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  @TempDir private Path folder;

  @Test
  void metrics_everyUpstreamSeries_isExported() throws Exception {
    SharedCluster cluster = SharedCluster.unmanaged(folder);
    try {
      ControllerManager manager =
          cluster.start(
              Resources.plugins(),
              "--endpoints=127.0.0.1:0",
              "--leader-elect=true",
              "--compat=kcm",
              "--controllers=*,selinux-warning-controller",
              "--attach-detach-reconcile-sync-period=5s",
              "--enable-hostpath-provisioner=true");
      play(cluster);
      compare(cluster, manager, "kube-controller-manager-1.36.txt");
      playOn(cluster);
      compare(cluster, manager, "kube-controller-manager-1.36-second-act.txt");
    } finally {
      cluster.close();
    }
  }

  private static void compare(SharedCluster cluster, ControllerManager manager, String recording)
      throws IOException {
    Set<String> expected = recorded(recording);
    try {
      cluster.until("every series is exported", () -> missing(expected, manager).isEmpty());
    } catch (AssertionError tooLate) {
      assertThat(missing(expected, manager)).as("series that are not exported").isEmpty();
      throw tooLate;
    }
  }

  private static void play(SharedCluster cluster) throws StatusException {
    storageClass(cluster, "hp", "kubernetes.io/host-path", "", "");
    storageClass(cluster, "bad", "kubernetes.io/host-path", "", ", \"mountOptions\": [\"a\"]");
    storageClass(
        cluster,
        "dflt",
        "example.com/x",
        ", \"annotations\": {\"storageclass.kubernetes.io/is-default-class\": \"true\"}",
        "");
    claim(cluster, "c1", "\"storageClassName\": \"hp\"");
    claim(cluster, "c2", "\"storageClassName\": \"bad\"");
    claim(cluster, "c3", "\"storageClassName\": \"dflt\"");
    claim(cluster, "c4", "\"storageClassName\": \"\", \"volumeName\": \"pv4\"");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv4"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "d.example.com", "volumeHandle": "h4"}}}
        """);
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv5"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "volumeMode": "Block", "local": {"path": "/x"}, "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}}}
        """);
    cluster.create(
        KindCatalogue.NODES,
        """
        {"metadata": {"name": "n1", "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}}}
        """);
    cluster.create(
        KindCatalogue.CSI_DRIVERS,
        """
        {"metadata": {"name": "d.example.com"}, "spec": {"attachRequired": true, "seLinuxMount": true}}
        """);
    cluster.create(
        KindCatalogue.CSI_DRIVERS,
        """
        {"metadata": {"name": "ebs.csi.aws.com"}, "spec": {"attachRequired": true}}
        """);
    claim(cluster, "c6", "\"storageClassName\": \"\", \"volumeName\": \"pv6\"");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv6"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "awsElasticBlockStore": {"volumeID": "vol-6"}}}
        """);
    claim(cluster, "c7", "\"storageClassName\": \"\", \"volumeName\": \"pv7\"");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv7"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "nfs": {"server": "s", "path": "/p"}}}
        """);
    pod(cluster, "p2", "\"nodeName\": \"n1\", ", "c6");
    for (int level = 1; level < 4; level += 2) {
      pod(
          cluster,
          "s" + (level + 1) / 2,
          "\"securityContext\": {\"seLinuxOptions\": {\"level\": \"s0:c%d,c%d\"}}, "
              .formatted(level, level + 1),
          "c4");
    }
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "p1"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c4"}}, {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "hp", "resources": {"requests": {"storage": "1Gi"}}}}}}]}}
        """);
    for (String claim : List.of("c1", "c4", "p1-e", "c6", "c7")) {
      cluster.until(claim + " is bound", () -> cluster.isBound(claim));
    }
    cluster.until(
        "c2 is refused", () -> cluster.hasEvent("c2", "ProvisioningFailed", "Mount options"));
    attach(cluster);
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c1", WriteOptions.PLAIN);
  }

  /**
   * Covers an externally provisioned and deleted volume, a migrated in-tree volume that is attached
   * and detached, a volume without a deleter, and conflicting SELinux labels.
   */
  private static void playOn(SharedCluster cluster) throws StatusException {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pvx", "annotations": {"pv.kubernetes.io/provisioned-by": "example.com/x"}}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "storageClassName": "dflt", "csi": {"driver": "x.example.com", "volumeHandle": "hx"}, "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": "c3", "uid": "%s"}}}
        """
            .formatted(
                JsonBodies.textAt(
                    cluster.handlers().get(KindCatalogue.CLAIMS, "default", "c3").tree(),
                    "metadata",
                    "uid")));
    cluster.until("c3 is bound", () -> cluster.isBound("c3"));
    for (String claim : List.of("c3", "c7")) {
      cluster.handlers().delete(KindCatalogue.CLAIMS, "default", claim, WriteOptions.PLAIN);
    }
    cluster.until("pvx is released", () -> phaseOf(cluster, "pvx").equals("Released"));
    cluster.handlers().delete(KindCatalogue.VOLUMES, "", "pvx", WriteOptions.PLAIN);
    cluster.until("pv7 cannot be deleted", () -> phaseOf(cluster, "pv7").equals("Failed"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p2", WriteOptions.PLAIN);
  }

  private static String phaseOf(SharedCluster cluster, String volume) {
    try {
      return JsonBodies.textAt(
          cluster.handlers().get(KindCatalogue.VOLUMES, "", volume).tree(), "status", "phase");
    } catch (StatusException failure) {
      return "";
    }
  }

  private static void storageClass(
      SharedCluster cluster, String name, String provisioner, String meta, String more)
      throws StatusException {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"%s}, "provisioner": "%s"%s}
        """
            .formatted(name, meta, provisioner, more));
  }

  private static void claim(SharedCluster cluster, String name, String more)
      throws StatusException {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], %s, "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, more));
  }

  private static void pod(SharedCluster cluster, String name, String more, String claim)
      throws StatusException {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {%s"containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, more, claim));
  }

  /** Acts as the drivers' attachers. */
  private static void attach(SharedCluster cluster) throws StatusException {
    cluster.until("attachments are requested", () -> attachments(cluster).size() == 2);
    for (StoredObject attachment : attachments(cluster)) {
      cluster
          .handlers()
          .update(
              KindCatalogue.ATTACHMENTS,
              "",
              JsonBodies.textAt(attachment.tree(), "metadata", "name"),
              WriteOptions.STATUS,
              current -> {
                JsonBodies.getOrAddChild(current, "status").addProperty("attached", true);
                return current;
              });
    }
  }

  private static List<StoredObject> attachments(SharedCluster cluster) {
    return List.copyOf(cluster.handlers().store(KindCatalogue.ATTACHMENTS).list("").objects());
  }

  private static Set<String> recorded(String recording) throws IOException {
    try (InputStream in = MetricNamesTest.class.getResourceAsStream("/metrics/" + recording)) {
      assertThat(in).isNotNull();
      return series(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Set<String> missing(Set<String> expected, ControllerManager manager) {
    Set<String> missing = new TreeSet<>(expected);
    missing.removeAll(series(exposition(manager.port())));
    return missing;
  }

  private static String exposition(int port) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** Returns types and series with ordered labels; cluster-specific values become a star. */
  private static Set<String> series(String text) {
    Set<String> all = new TreeSet<>();
    for (String line : text.lines().toList()) {
      Matcher series = SERIES.matcher(line);
      if (line.startsWith("# TYPE ")) {
        all.add(line);
      } else if (!line.startsWith("#") && series.matches()) {
        all.add(series.group(1) + labels(series.group(1), series.group(2)));
      }
    }
    return all;
  }

  private static String labels(String name, @Nullable String text) {
    List<String> labels = new ArrayList<>();
    Matcher label = LABEL.matcher(text == null ? "" : text);
    while (label.find()) {
      String value = label.group(2);
      if (label.group(1).equals("le")) {
        value = value.equals("+Inf") ? value : String.valueOf(Double.parseDouble(value));
      } else if (name.startsWith("rest_client_") || name.startsWith("leader_election_")) {
        value = "*";
      }
      labels.add(label.group(1) + "=" + value);
    }
    labels.sort(null);
    return labels.toString();
  }
}
