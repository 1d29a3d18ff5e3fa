package dev.mooring.it.smoke;

import com.google.gson.JsonParser;
import dev.mooring.it.MinimalRightsTests;
import dev.mooring.it.smoke.OptionalControllerTrial.TestServer;
import dev.mooring.testkit.TestWait;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks that optional controllers need exactly the declared rights. */
class OptionalControllerRightsTest {
  private static final String CONFLICT = "SELinuxLabelConflict";

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> seLinuxWarnings_generatedRights_areSufficientAndNecessary() throws Exception {
    OptionalControllerTrial trial =
        new OptionalControllerTrial(
            OptionalControllerRightsTest::playWarnings,
            true,
            "--controllers=selinux-warning-controller");
    return new MinimalRightsTests(trial, folder).tests();
  }

  private static void playWarnings(TestServer server, boolean awaitRepeat) throws Exception {
    server.create(
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "d.example.com"}, "spec": {"attachRequired": false, "seLinuxMount": true}}
        """);
    createClaim(server, "\"volumeName\": \"v\", ");
    server.create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"],
         "claimRef": {"namespace": "default", "name": "c", "uid": %s}, "csi": {"driver": "d.example.com", "volumeHandle": "h"}}}
        """
            .formatted(
                server
                    .api()
                    .get("PersistentVolumeClaim", "default", "c")
                    .getAsJsonObject("metadata")
                    .get("uid")));
    markClaimBound(server);
    createPod(server, "a", "s0:c1,c2");
    createPod(server, "b", "s0:c3,c4");
    TestWait.until("pod a has an event", () -> server.hasEvent(CONFLICT, "\"name\":\"a\""));
    if (awaitRepeat) {
      TestWait.until(
          "event is repeated",
          () -> {
            server.api().delete("Pod", "default", "b", 0);
            createPod(server, "b", "s0:c3,c4");
            return server.hasEvent(CONFLICT, "\"series\":{");
          });
    }
  }

  private static void createClaim(TestServer server, String volumeMember) throws Exception {
    server.create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c", "namespace": "default"},
         "spec": {"accessModes": ["ReadWriteMany"], "storageClassName": "", %s"resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(volumeMember));
  }

  private static void markClaimBound(TestServer server) throws Exception {
    server
        .api()
        .patch(
            "PersistentVolumeClaim",
            "default",
            "c",
            "status",
            JsonParser.parseString("{\"status\": {\"phase\": \"Bound\"}}").getAsJsonObject());
  }

  private static void createPod(TestServer server, String name, String level) throws Exception {
    server.create(
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"securityContext": {"seLinuxOptions": {"level": "%s"}},
         "containers": [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/m"}]}],
         "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]}}
        """
            .formatted(name, level));
  }

  @TestFactory
  Stream<DynamicTest> unusedClaims_generatedRights_areSufficientAndNecessary() throws Exception {
    OptionalControllerTrial trial =
        new OptionalControllerTrial(
            OptionalControllerRightsTest::playUnusedClaims,
            false,
            "--controllers=pvc-protection",
            "--feature-gates=PersistentVolumeClaimUnusedSinceTime=true");
    return new MinimalRightsTests(trial, folder).tests();
  }

  private static void playUnusedClaims(TestServer server, boolean awaitRepeat) throws Exception {
    createClaim(server, "");
    markClaimBound(server); // a pending claim gets no condition
    TestWait.until("claim is marked unused", () -> hasReason(server, "NoPodsUsingPVC"));
    createPod(server, "a", "s0");
    TestWait.until("claim is in use", () -> hasReason(server, "PodUsingPVC"));
    server.api().delete("PersistentVolumeClaim", "default", "c", -1);
    server.api().delete("Pod", "default", "a", 0);
    TestWait.until("claim is deleted", () -> server.api().list("PersistentVolumeClaim").isEmpty());
  }

  private static boolean hasReason(TestServer server, String reason) throws Exception {
    return server
        .api()
        .get("PersistentVolumeClaim", "default", "c")
        .toString()
        .contains("\"" + reason + "\"");
  }
}
