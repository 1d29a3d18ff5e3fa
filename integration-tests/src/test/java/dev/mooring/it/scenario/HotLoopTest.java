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
import org.junit.jupiter.api.io.TempDir;

/**
 * Regression tests for hot loops that once sent hundreds of requests per second for one unchanged
 * object. Each case must need few requests.
 */
class HotLoopTest {
  private static final Duration OBSERVED_TIME = Duration.ofSeconds(3);

  private static final int CLAIM_COUNT = 4;

  @TempDir private Path folder;
  private final ConcurrentTests concurrentTests = new ConcurrentTests();

  @AfterEach
  void stop() {
    concurrentTests.stop();
  }

  /** Runs a controller-manager and returns its requests of the next seconds. */
  private List<AuditEvent> recordRequests(ApiServer server, Path auditLog, String... flags)
      throws Exception {
    return recordRequests(
        Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig()), auditLog, flags);
  }

  private static List<AuditEvent> recordRequests(Path kubeconfig, Path auditLog, String... flags)
      throws Exception {
    List<String> allFlags =
        new ArrayList<>(
            List.of(
                "--endpoints=off", "--leader-elect=false", "--enable-hostpath-provisioner=true"));
    allFlags.addAll(List.of(flags));
    ControllerManager manager =
        RunFlags.manager(
            allFlags, Resources.plugins(), KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
    try {
      manager.start();
      TestWait.lastOf(OBSERVED_TIME, manager::isIdle, idle -> idle);
      return QuietCheck.of(auditLog).requestsDuring(OBSERVED_TIME);
    } finally {
      manager.stop();
    }
  }

  private static void createObject(ApiServer server, ResourceType type, String json)
      throws StatusException {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    server.handlers().create(type, type.namespaced() ? "default" : "", object, WriteOptions.PLAIN);
  }

  @Test
  void flexVolume_grownWhilePending_doesNotLoop() throws Exception {
    Path auditLog = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      List<AuditEvent> requests = new ArrayList<>();
      Scenarios.play(
          "expand/flexvolume-grown-again-while-pending",
          RestApi.of(server, ""),
          kubeconfig,
          ScenarioTest.QUIET_SECONDS,
          () -> requests.addAll(QuietCheck.of(auditLog).requestsDuring(OBSERVED_TIME)));
      assertThat(requests).isEmpty();
    }
  }

  @Test
  void attributesClass_unsupported_doesNotLoop() throws Exception {
    Path auditLog = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      createObject(
          server,
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete"}
          """);
      createObject(
          server,
          KindCatalogue.ATTRIBUTES_CLASSES,
          """
          {"metadata": {"name": "gold"}, "driverName": "csi.example.com", "parameters": {"iops": "1"}}
          """);
      createObject(
          server,
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local", "volumeAttributesClassName": "gold", "resources": {"requests": {"storage": "1Mi"}}}}
          """);
      for (String compat : List.of("none", "kcm")) {
        assertThat(recordRequests(server, auditLog, "--compat=" + compat))
            .as("--compat=%s", compat)
            .hasSizeLessThan(10);
      }
    }
  }

  @Test
  void claim_rejectedByPlugin_doesNotLoop() throws Exception {
    Path auditLog = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      createObject(
          server,
          KindCatalogue.CLASSES,
          """
          {"metadata": {"name": "local"}, "provisioner": "kubernetes.io/host-path", "reclaimPolicy": "Delete", "mountOptions": ["ro"]}
          """);
      createObject(
          server,
          KindCatalogue.CLAIMS,
          """
          {"metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "local", "resources": {"requests": {"storage": "1Mi"}}}}
          """);
      assertThat(recordRequests(server, auditLog, "--pvclaimbinder-sync-period=500ms"))
          .as("its event may be outstanding")
          .hasSizeLessThan(2);
      assertThat(
              recordRequests(server, auditLog, "--pvclaimbinder-sync-period=500ms", "--compat=kcm"))
          .as("with back-off")
          .hasSizeBetween(1, 8);
    }
  }

  /**
   * Every claim fits the volume. The volume requeues these claims, and each attempt requeues the
   * volume.
   */
  @TestFactory
  Stream<DynamicTest> binding_forbidden_doesNotLoop() {
    return concurrentTests.tests(
        List.of(
            "persistentvolumes",
            "persistentvolumes/status",
            "persistentvolumeclaims",
            "persistentvolumeclaims/status"),
        this::verifyBackoff);
  }

  private void verifyBackoff(String resource) throws Exception {
    Path testFolder = Files.createTempDirectory(this.folder, "rights");
    try (RestrictedServer restrictedServer = RestrictedServer.start(testFolder)) {
      ApiServer server = restrictedServer.server();
      createObject(
          server,
          KindCatalogue.VOLUMES,
          """
          {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Mi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/tmp/v"}}}
          """);
      for (int i = 0; i < CLAIM_COUNT; i++) {
        createObject(
            server,
            KindCatalogue.CLAIMS,
            """
            {"metadata": {"name": "c%d"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "1Mi"}}}}
            """
                .formatted(i));
      }
      Path kubeconfig =
          restrictedServer.kubeconfig(
              testFolder,
              List.of(),
              right -> right.verb() == Verb.PATCH && right.target().resource().equals(resource));
      recordRequests(kubeconfig, restrictedServer.log());
      assertThat(QuietCheck.of(restrictedServer.log()).requestsAfter(0))
          .filteredOn(request -> request.code() == 403 && request.verb().equals("patch"))
          .as("with back-off")
          .hasSizeBetween(5, 12 * CLAIM_COUNT);
    }
  }

  @Test
  void deletion_heldByFinalizer_doesNotLoop() throws Exception {
    Path auditLog = folder.resolve("audit.log");
    try (ApiServer server = ApiServer.start(QuietCheck.auditedOptions(auditLog))) {
      for (int i = 0; i < 5; i++) {
        Path volumeFolder = Files.createDirectories(folder.resolve("tmp").resolve("v" + i));
        createObject(
            server,
            KindCatalogue.VOLUMES,
            """
            {"metadata": {"name": "v%d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Delete", "hostPath": {"path": "%s"}, "claimRef": {"namespace": "default", "name": "gone", "uid": "00000000-0000-4000-8000-00000000000%d"}}, "status": {"phase": "Bound"}}
            """
                .formatted(i, volumeFolder, i));
      }
      assertThat(recordRequests(server, auditLog, "--deletion-brake-limit=1"))
          .as("the first reconcile of each, with its event, may be in progress")
          .hasSizeLessThanOrEqualTo(5 * 3);
    }
  }

  @Test
  void read_failing_doesNotLoop() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        FailingReads failingReads =
            new FailingReads(server.url(), "/api/v1/(persistentvolumes|namespaces/.*)/[^/]+")) {
      createObject(
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
              server.kubeconfig().replace(server.url(), failingReads.url()));
      ControllerManager manager =
          RunFlags.manager(
              List.of("--endpoints=off", "--leader-elect=false"),
              Resources.plugins(),
              KubeConnection.ofFiles(List.of(kubeconfig), "", "test"));
      try {
        manager.start();
        long startTime = System.nanoTime();
        while (System.nanoTime() - startTime < 2 * OBSERVED_TIME.toNanos()) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(failingReads.countFailedReads()).isBetween(1, 20);
        failingReads.stopFailing();
        TestWait.until(
            "volume is deleted",
            () -> server.handlers().store(KindCatalogue.VOLUMES).list("").objects().isEmpty());
      } finally {
        manager.stop();
      }
    }
  }
}
