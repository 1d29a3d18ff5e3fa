package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.binder.BinderConfig;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.Resources;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the requests needed to provision, bind and delete volumes. */
class RequestsTest {
  private static final String CORE = "/api/v1";
  private static final String CLAIM = CORE + "/namespaces/default/persistentvolumeclaims/";
  private static final String VOLUMES = CORE + "/persistentvolumes";

  @TempDir private Path folder;

  @Test
  void provisioning_hostPathClaim_sendsSixRequests() throws Exception {
    Path log = folder.resolve("audit.log");
    SharedCluster cluster =
        SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(log)));
    try {
      // the class exists first, because the binder would request a class that its cache lacks
      createClass(cluster);
      ControllerManager manager = startManager(cluster, "persistentvolume-binder");
      cluster.awaitCondition("controllers are idle", manager::isIdle);
      long position = QuietCheck.of(log).position();
      cluster.create(
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "data", "labels": {"team": "a"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local", "resources": {"requests": {"storage": "1Gi"}}}}
          """);
      awaitProvisioned(cluster, manager);
      String volume = VOLUMES + "/pvc-" + uid(cluster);
      assertThat(requestsAfter(log, position))
          .containsExactlyInAnyOrder(
              "get " + volume,
              "create " + VOLUMES,
              "patch " + volume + "/status",
              "patch " + CLAIM + "data",
              "patch " + CLAIM + "data/status",
              "create event");
    } finally {
      cluster.close();
    }
  }

  private static ControllerManager startManager(SharedCluster cluster, String controllers)
      throws Exception {
    return cluster.startManager(
        Resources.plugins(), "--controllers=" + controllers, "--enable-hostpath-provisioner=true");
  }

  private static void awaitProvisioned(SharedCluster cluster, ControllerManager manager) {
    cluster.awaitCondition(
        "claim is bound",
        () ->
            cluster.isBound("data")
                && manager.isIdle()
                && cluster.hasEvent("data", "ProvisioningSucceeded", ""));
  }

  @Test
  void deletion_provisionedClaim_listsPodsAndSendsSixRequests() throws Exception {
    Path log = folder.resolve("audit.log");
    SharedCluster cluster =
        SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(log)));
    try {
      createClass(cluster);
      ControllerManager manager =
          startManager(cluster, "persistentvolume-binder,pvc-protection,pv-protection");
      cluster.createClaim("data", "local", "");
      awaitProvisioned(cluster, manager);
      String name = "pvc-" + uid(cluster);
      String volume = VOLUMES + "/" + name;
      long position = QuietCheck.of(log).position();
      cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
      cluster.awaitCondition(
          "volume is deleted",
          () -> !cluster.objectsAsText().contains("hostPath") && manager.isIdle());
      assertThat(requestsAfter(log, position))
          .containsExactlyInAnyOrder(
              "list /api/v1/namespaces/default/pods",
              "patch " + CLAIM + "data",
              "get " + CLAIM + "data",
              "patch " + volume + "/status",
              "patch " + volume + "/status",
              "delete " + volume,
              "patch " + volume);
    } finally {
      cluster.close();
    }
  }

  @Test
  void missingClass_manyClaims_isReadByFewRequests() throws Exception {
    int claimCount = 4 * BinderConfig.DEFAULTS.workers();
    Path log = folder.resolve("audit.log");
    SharedCluster cluster =
        SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(log)));
    try {
      for (int i = 0; i < claimCount; i++) {
        cluster.create(
            KindCatalogue.VOLUMES,
            """
            {"metadata": {"name": "v-%d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "by-hand", "nfs": {"server": "s", "path": "/"}}}
            """
                .formatted(i));
        cluster.create(
            KindCatalogue.CLAIMS,
            """
            {"metadata": {"name": "c-%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "by-hand", "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(i));
      }
      cluster.startManager(Resources.plugins(), "--controllers=persistentvolume-binder");
      for (int i = 0; i < claimCount; i++) {
        String claim = "c-" + i;
        cluster.awaitCondition(claim + " is bound", () -> cluster.isBound(claim));
      }
      // each concurrent worker may request the class, and again after the cached absence expires
      assertThat(requestsAfter(log, 0))
          .filteredOn(request -> request.endsWith("/storageclasses/by-hand"))
          .hasSizeBetween(1, claimCount / 2);
    } finally {
      cluster.close();
    }
  }

  private static void createClass(SharedCluster cluster) throws StatusException {
    cluster.create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete"}
        """);
  }

  private static String uid(SharedCluster cluster) throws StatusException {
    return JsonBodies.textAt(
        cluster.handlers().get(KindCatalogue.CLAIMS, "default", "data").tree(), "metadata", "uid");
  }

  private static List<String> requestsAfter(Path log, long position) throws IOException {
    return QuietCheck.of(log).requestsAfter(position).stream()
        .filter(event -> !event.verb().equals("watch") && !event.path().contains("/leases/"))
        .map(event ->
            event.path().endsWith("/events")
                ? event.verb() + " event"
                : event.verb() + " " + event.path())
        .toList();
  }
}
