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
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that Mooring exports every series that kube-controller-manager exports in the same
 * situation, with equal names, types, labels and buckets.
 */
class MetricNamesTest {
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{(.*)})?(?: [^ ]+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  @TempDir private Path folder;

  @Test
  void metrics_everyUpstreamSeries_isExported() throws Exception {
    SharedCluster cluster = SharedCluster.withoutManager(folder);
    try {
      ControllerManager manager =
          cluster.startManager(
              Resources.plugins(),
              "--endpoints=127.0.0.1:0",
              "--leader-elect=true",
              "--compat=kcm",
              "--controllers=*,selinux-warning-controller",
              "--attach-detach-reconcile-sync-period=5s",
              "--enable-hostpath-provisioner=true");
      playFirstAct(cluster);
      awaitSeries(cluster, manager, "kube-controller-manager-1.36.txt");
      playSecondAct(cluster);
      awaitSeries(cluster, manager, "kube-controller-manager-1.36-second-act.txt");
    } finally {
      cluster.close();
    }
  }

  private static void awaitSeries(
      SharedCluster cluster, ControllerManager manager, String recording) throws IOException {
    Set<String> expected = recordedSeries(recording);
    try {
      cluster.awaitCondition(
          "every series is exported", () -> missingSeries(expected, manager).isEmpty());
    } catch (AssertionError timeout) {
      assertThat(missingSeries(expected, manager)).as("series that are not exported").isEmpty();
      throw timeout;
    }
  }

  private static void playFirstAct(SharedCluster cluster) throws StatusException {
    createClass(cluster, "hp", "kubernetes.io/host-path", "", "");
    createClass(cluster, "bad", "kubernetes.io/host-path", "", ", \"mountOptions\": [\"a\"]");
    createClass(
        cluster,
        "dflt",
        "example.com/x",
        ", \"annotations\": {\"storageclass.kubernetes.io/is-default-class\": \"true\"}",
        "");
    createClaim(cluster, "c1", "\"storageClassName\": \"hp\"");
    createClaim(cluster, "c2", "\"storageClassName\": \"bad\"");
    createClaim(cluster, "c3", "\"storageClassName\": \"dflt\"");
    createClaim(cluster, "c4", "\"storageClassName\": \"\", \"volumeName\": \"pv4\"");
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
    createClaim(cluster, "c6", "\"storageClassName\": \"\", \"volumeName\": \"pv6\"");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv6"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "awsElasticBlockStore": {"volumeID": "vol-6"}}}
        """);
    createClaim(cluster, "c7", "\"storageClassName\": \"\", \"volumeName\": \"pv7\"");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "pv7"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "nfs": {"server": "s", "path": "/p"}}}
        """);
    createPod(cluster, "p2", "\"nodeName\": \"n1\", ", "c6");
    for (int level = 1; level < 4; level += 2) {
      createPod(
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
      cluster.awaitCondition(claim + " is bound", () -> cluster.isBound(claim));
    }
    cluster.awaitCondition(
        "c2 is refused", () -> cluster.hasEvent("c2", "ProvisioningFailed", "Mount options"));
    markAttached(cluster);
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "c1", WriteOptions.PLAIN);
  }

  /**
   * Covers an externally provisioned and deleted volume, a migrated in-tree volume that is attached
   * and detached, a volume without a deleter, and conflicting SELinux labels.
   */
  private static void playSecondAct(SharedCluster cluster) throws StatusException {
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
    cluster.awaitCondition("c3 is bound", () -> cluster.isBound("c3"));
    for (String claim : List.of("c3", "c7")) {
      cluster.handlers().delete(KindCatalogue.CLAIMS, "default", claim, WriteOptions.PLAIN);
    }
    cluster.awaitCondition("pvx is released", () -> volumePhase(cluster, "pvx").equals("Released"));
    cluster.handlers().delete(KindCatalogue.VOLUMES, "", "pvx", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "pv7 cannot be deleted", () -> volumePhase(cluster, "pv7").equals("Failed"));
    cluster.handlers().delete(KindCatalogue.PODS, "default", "p2", WriteOptions.PLAIN);
  }

  private static String volumePhase(SharedCluster cluster, String volume) {
    try {
      return JsonBodies.textAt(
          cluster.handlers().get(KindCatalogue.VOLUMES, "", volume).tree(), "status", "phase");
    } catch (StatusException notFound) {
      return "";
    }
  }

  private static void createClass(
      SharedCluster cluster,
      String name,
      String provisioner,
      String metadataMembers,
      String classMembers)
      throws StatusException {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"%s}, "provisioner": "%s"%s}
        """
            .formatted(name, metadataMembers, provisioner, classMembers));
  }

  private static void createClaim(SharedCluster cluster, String name, String specMembers)
      throws StatusException {
    cluster.create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], %s, "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, specMembers));
  }

  private static void createPod(
      SharedCluster cluster, String name, String specMembers, String claim) throws StatusException {
    cluster.create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {%s"containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, specMembers, claim));
  }

  /** Acts as the drivers' attachers. */
  private static void markAttached(SharedCluster cluster) throws StatusException {
    cluster.awaitCondition("attachments are requested", () -> attachments(cluster).size() == 2);
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

  private static Set<String> recordedSeries(String recording) throws IOException {
    try (InputStream stream = MetricNamesTest.class.getResourceAsStream("/metrics/" + recording)) {
      assertThat(stream).isNotNull();
      return normalizeSeries(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Set<String> missingSeries(Set<String> expected, ControllerManager manager) {
    Set<String> absent = new TreeSet<>(expected);
    absent.removeAll(normalizeSeries(MetricsPort.fetchText(manager.port(), "/metrics")));
    return absent;
  }

  /** Returns types and series with ordered labels; cluster-specific values become a star. */
  private static Set<String> normalizeSeries(String text) {
    Set<String> normalized = new TreeSet<>();
    for (String line : text.lines().toList()) {
      Matcher matcher = SERIES.matcher(line);
      if (line.startsWith("# TYPE ")) {
        normalized.add(line);
      } else if (!line.startsWith("#") && matcher.matches()) {
        normalized.add(matcher.group(1) + normalizeLabels(matcher.group(1), matcher.group(2)));
      }
    }
    return normalized;
  }

  private static String normalizeLabels(String name, @Nullable String text) {
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
