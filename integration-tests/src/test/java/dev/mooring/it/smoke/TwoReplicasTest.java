package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs two replicas: one acts, and the other takes over. */
@Timeout(300)
class TwoReplicasTest {
  private static final long SHORT_LEASE = 8; // seconds, longer than a busy machine stalls
  private static final long LONG_LEASE =
      2 * TestWait.LONGEST.toSeconds(); // no test waits that long

  @TempDir private Path folder;
  private ApiServer server;
  private RestApi api;
  private Path kubeconfig;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = new RestApi(server.url(), "");
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private JavaProcess replica(long leaseSeconds) throws Exception {
    return JavaProcess.mooring(
        "run",
        "--mode=replace",
        "--kubeconfig",
        kubeconfig.toString(),
        "--endpoints=off",
        "--plugins",
        Resources.plugins().toString(),
        "--leader-elect-lease-duration=" + leaseSeconds + "s",
        "--leader-elect-renew-deadline=" + (leaseSeconds - 1) + "s",
        "--leader-elect-retry-period=500ms");
  }

  private static boolean leads(String line) {
    return line.contains(" leads by lease kube-system/mooring-controller-manager");
  }

  private void pair(int i) throws RestApi.Refused, IOException, InterruptedException {
    api.create(
        parsed(
            """
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v-%1$d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s%1$d", "nfs": {"server": "n", "path": "/"}}}
            """
                .formatted(i)));
    api.create(
        parsed(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c-%1$d", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s%1$d", "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(i)));
  }

  private static JsonObject parsed(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void awaitBound(int i) {
    TestWait.until(
        "c-" + i + " is bound",
        () ->
            api.get("PersistentVolumeClaim", "default", "c-" + i)
                .getAsJsonObject("status")
                .get("phase")
                .getAsString()
                .equals("Bound"));
  }

  @Test
  void leaderKilled_standbyTakesOver() throws Exception {
    try (JavaProcess first = replica(SHORT_LEASE)) {
      first.awaitLine(TwoReplicasTest::leads);
      try (JavaProcess second = replica(SHORT_LEASE)) {
        second.awaitLine(line -> line.contains("standing by: "));
        pair(1);
        awaitBound(1);
        first.kill();
        pair(2);
        awaitBound(2);
        assertThat(second.output()).anyMatch(TwoReplicasTest::leads);
        assertThat(first.output()).noneMatch(line -> line.contains("standing by"));
      }
    }
  }

  @Test
  void leaderStopped_standbyTakesOverImmediately() throws Exception {
    try (JavaProcess first = replica(LONG_LEASE)) {
      first.awaitLine(TwoReplicasTest::leads);
      try (JavaProcess second = replica(LONG_LEASE)) {
        second.awaitLine(line -> line.contains("standing by: "));
        assertThat(first.stop()).isIn(0, 143);
        second.awaitLine(TwoReplicasTest::leads); // before the lease would expire
      }
    }
  }

  @Test
  void leaseTaken_leaderExits() throws Exception {
    try (JavaProcess leader = replica(SHORT_LEASE)) {
      leader.awaitLine(TwoReplicasTest::leads);
      api.patch(
          "Lease",
          "kube-system",
          "mooring-controller-manager",
          "",
          parsed("{\"spec\": {\"holderIdentity\": \"thief\"}}"));
      leader.awaitLine(line -> line.contains("leadership is lost"));
      assertThat(leader.exitCode()).isEqualTo(1);
    }
  }
}
