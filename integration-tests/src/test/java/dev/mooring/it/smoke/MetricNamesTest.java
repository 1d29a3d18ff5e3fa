package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.http.WriteOptions;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.store.Stored;
import dev.mooring.it.Resources;
import dev.mooring.manager.lifecycle.Manager;
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
 * After the same play Mooring tells every series that kube-controller-manager tells: names, types,
 * labels and buckets, so that alerts and dashboards go on.
 */
@Timeout(120)
class MetricNamesTest {
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{(.*)})?(?: [^ ]+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  @TempDir private Path folder;

  @Test
  void everySeriesThatKubeControllerManagerTellsIsTold() throws Exception {
    SharedCluster cluster = SharedCluster.unmanaged(folder);
    try {
      Manager manager =
          cluster.start(
              Resources.plugins(),
              "--endpoints=127.0.0.1:0",
              "--leader-elect=true",
              "--compat=kcm",
              "--enable-hostpath-provisioner=true");
      play(cluster);
      Set<String> expected = recorded();
      try {
        cluster.until("every series is told", () -> missing(expected, manager).isEmpty());
      } catch (AssertionError tooLate) {
        assertThat(missing(expected, manager)).as("series that nobody tells").isEmpty();
        throw tooLate;
      }
    } finally {
      cluster.close();
    }
  }

  private static void play(SharedCluster cluster) throws Problem {
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
        Catalogue.VOLUMES,
        """
        {"metadata": {"name": "pv4"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "d.example.com", "volumeHandle": "h4"}}}
        """);
    cluster.create(
        Catalogue.VOLUMES,
        """
        {"metadata": {"name": "pv5"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "volumeMode": "Block", "local": {"path": "/x"}, "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}}}}
        """);
    cluster.create(
        Catalogue.NODES,
        """
        {"metadata": {"name": "n1", "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}}}
        """);
    cluster.create(
        Catalogue.CSI_DRIVERS,
        """
        {"metadata": {"name": "d.example.com"}, "spec": {"attachRequired": true}}
        """);
    cluster.create(
        Catalogue.PODS,
        """
        {"metadata": {"name": "p1"}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c4"}}, {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "hp", "resources": {"requests": {"storage": "1Gi"}}}}}}]}}
        """);
    for (String claim : List.of("c1", "c4", "p1-e")) {
      cluster.until(claim + " is bound", () -> cluster.isBound(claim));
    }
    cluster.until(
        "c2 is refused", () -> cluster.isTold("c2", "ProvisioningFailed", "Mount options"));
    attach(cluster);
    cluster.verbs().delete(Catalogue.CLAIMS, "default", "c1", WriteOptions.PLAIN);
  }

  private static void storageClass(
      SharedCluster cluster, String name, String provisioner, String meta, String more)
      throws Problem {
    cluster.create(
        Catalogue.CLASSES,
        """
        {"metadata": {"name": "%s"%s}, "provisioner": "%s"%s}
        """
            .formatted(name, meta, provisioner, more));
  }

  private static void claim(SharedCluster cluster, String name, String more) throws Problem {
    cluster.create(
        Catalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], %s, "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, more));
  }

  /** As the driver's attacher does. */
  private static void attach(SharedCluster cluster) throws Problem {
    cluster.until(
        "an attachment is asked for",
        () -> !cluster.verbs().store(Catalogue.ATTACHMENTS).list("").objects().isEmpty());
    Stored attachment =
        cluster.verbs().store(Catalogue.ATTACHMENTS).list("").objects().iterator().next();
    cluster
        .verbs()
        .update(
            Catalogue.ATTACHMENTS,
            "",
            JsonBodies.text(attachment.tree(), "metadata", "name"),
            WriteOptions.STATUS,
            current -> {
              JsonBodies.child(current, "status").addProperty("attached", true);
              return current;
            });
  }

  private static Set<String> recorded() throws IOException {
    try (InputStream in =
        MetricNamesTest.class.getResourceAsStream("/metrics/kube-controller-manager-1.36.txt")) {
      assertThat(in).isNotNull();
      return series(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Set<String> missing(Set<String> expected, Manager manager) {
    Set<String> missing = new TreeSet<>(expected);
    missing.removeAll(series(told(manager.port())));
    return missing;
  }

  private static String told(int port) {
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

  /** Types, and series with their labels in order; what is the cluster's own stands as a star. */
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
