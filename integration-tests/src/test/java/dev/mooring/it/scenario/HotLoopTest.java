package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.ConcurrentTests;
import dev.mooring.it.QuietCheck;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.RestrictedServer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.testkit.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Regression tests for hot loops that sent hundreds of requests per second for one unchanged
 * object. Now each case takes a handful of requests and comes to rest.
 */
@Timeout(300)
class HotLoopTest {
  private static final Duration WHILE = Duration.ofSeconds(3);

  private static final int CLAIMS = 4;

  @TempDir private Path folder;
  private final ConcurrentTests players = new ConcurrentTests();

  @AfterEach
  void stop() {
    players.stop();
  }

  /** Runs a controller-manager and returns its requests of the next seconds. */
  private List<AuditEvent> requestsOf(ApiServer server, Path log, String... flags)
      throws Exception {
    return requestsOf(
        Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig()), log, flags);
  }

  private static List<AuditEvent> requestsOf(Path kubeconfig, Path log, String... flags)
      throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--endpoints=off", "--leader-elect=false", "--enable-hostpath-provisioner=true"));
    all.addAll(List.of(flags));
    ControllerManager manager =
        RunFlags.manager(
            all, Resources.plugins(), KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    try {
      manager.start();
      TestWait.lastOf(WHILE, manager::isIdle, idle -> idle);
      return QuietCheck.of(log).during(WHILE);
    } finally {
      manager.stop();
    }
  }

  private static void create(ApiServer server, ResourceType type, String json)
      throws StatusException {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    server.handlers().create(type, type.namespaced() ? "default" : "", object, WriteOptions.PLAIN);
  }

  @Test
  void flexVolume_grownWhilePending_doesNotLoop() throws Exception {
    Path log = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.audited(log))) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      List<AuditEvent> asked = new ArrayList<>();
      Scenarios.play(
          "expand/flexvolume-grown-again-while-pending",
          new RestApi(server.url(), ""),
          kubeconfig,
          ScenarioTest.QUIET,
          () -> asked.addAll(QuietCheck.of(log).during(WHILE)));
      assertThat(asked).isEmpty();
    }
  }

  @Test
  void attributesClass_unsupported_doesNotLoop() throws Exception {
    Path log = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.audited(log))) {
      create(
          server,
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete"}
          """);
      create(
          server,
          KindCatalogue.ATTRIBUTES_CLASSES,
          """
          {"metadata": {"name": "gold"}, "driverName": "csi.example.com", "parameters": {"iops": "1"}}
          """);
      create(
          server,
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local", "volumeAttributesClassName": "gold", "resources": {"requests": {"storage": "1Mi"}}}}
          """);
      for (String compat : List.of("none", "kcm")) {
        assertThat(requestsOf(server, log, "--compat=" + compat))
            .as("--compat=%s", compat)
            .hasSizeLessThan(10);
      }
    }
  }

  @Test
  void claim_rejectedByPlugin_doesNotLoop() throws Exception {
    Path log = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.audited(log))) {
      create(
          server,
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete", "mountOptions": ["ro"]}
          """);
      create(
          server,
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local", "resources": {"requests": {"storage": "1Mi"}}}}
          """);
      assertThat(requestsOf(server, log, "--pvclaimbinder-sync-period=500ms"))
          .as("its event may be outstanding")
          .hasSizeLessThan(2);
      assertThat(requestsOf(server, log, "--pvclaimbinder-sync-period=500ms", "--compat=kcm"))
          .as("with back-off")
          .hasSizeBetween(1, 8);
    }
  }

  /**
   * Every claim wants the volume. The volume requeues the claims that it may suit, and each attempt
   * requeues the volume.
   */
  @TestFactory
  Stream<DynamicTest> binding_forbidden_doesNotLoop() {
    return players.tests(
        List.of(
            "persistentvolumes",
            "persistentvolumes/status",
            "persistentvolumeclaims",
            "persistentvolumeclaims/status"),
        this::mayNotPatch);
  }

  private void mayNotPatch(String resource) throws Exception {
    Path folder = Files.createTempDirectory(this.folder, "rights");
    try (RestrictedServer granted = RestrictedServer.start(folder)) {
      ApiServer server = granted.server();
      create(
          server,
          KindCatalogue.VOLUMES,
          """
          {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Mi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/tmp/v"}}}
          """);
      for (int i = 0; i < CLAIMS; i++) {
        create(
            server,
            KindCatalogue.CLAIMS,
            """
            {"metadata": {"name": "c%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Mi"}}}}
            """
                .formatted(i));
      }
      Path kubeconfig =
          granted.kubeconfig(
              folder,
              List.of(),
              right -> right.verb() == Verb.PATCH && right.target().resource().equals(resource));
      requestsOf(kubeconfig, granted.log());
      assertThat(QuietCheck.of(granted.log()).since(0))
          .filteredOn(asked -> asked.code() == 403 && asked.verb().equals("patch"))
          .as("with back-off")
          .hasSizeBetween(5, 12 * CLAIMS);
    }
  }

  @Test
  void deletion_heldByFinalizer_doesNotLoop() throws Exception {
    Path log = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.audited(log))) {
      for (int i = 0; i < 5; i++) {
        Path data = Files.createDirectories(folder.resolve("tmp").resolve("v" + i));
        create(
            server,
            KindCatalogue.VOLUMES,
            """
            {"metadata": {"name": "v%d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "hostPath": {"path": "%s"}, "claimRef": {"namespace": "default", "name": "gone", "uid": "00000000-0000-4000-8000-00000000000%d"}}, "status": {"phase": "Bound"}}
            """
                .formatted(i, data, i));
      }
      assertThat(requestsOf(server, log, "--deletion-brake-limit=1"))
          .as("the first reconcile of each, with its event, may be in progress")
          .hasSizeLessThanOrEqualTo(5 * 3);
    }
  }

  @Test
  void read_failing_doesNotLoop() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        FailingReads before =
            new FailingReads(server.url(), "/api/v1/(persistentvolumes|namespaces/.*)/[^/]+")) {
      create(
          server,
          KindCatalogue.VOLUMES,
          """
          {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "hostPath": {"path": "%s"}, "claimRef": {"namespace": "default", "name": "gone", "uid": "00000000-0000-4000-8000-000000000001"}}, "status": {"phase": "Released"}}
          """
              .formatted(Files.createDirectories(folder.resolve("tmp").resolve("v"))));
      server
          .handlers()
          .update(
              KindCatalogue.VOLUMES,
              "",
              "v",
              WriteOptions.STATUS,
              current -> {
                current.getAsJsonObject("status").addProperty("phase", "Released");
                return current;
              });
      Path kubeconfig =
          Files.writeString(
              folder.resolve("kubeconfig"),
              server.kubeconfig().replace(server.url(), before.url()));
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=off", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 2 * WHILE.toNanos()) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(before.failed()).isBetween(1, 20);
        before.stopFailing();
        TestWait.until(
            "volume is deleted",
            () -> server.handlers().store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
      } finally {
        manager.stop();
      }
    }
  }
}
