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
import org.junit.jupiter.api.io.TempDir;

/** Runs two replicas: one leads, and the other takes over. */
class TwoReplicasTest {
  private static final long SHORT_LEASE = 8; // seconds; a busy leader still renews in time
  private static final long LONG_LEASE =
      2 * TestWait.LONGEST.toSeconds(); // does not expire during a test

  @TempDir private Path folder;
  private ApiServer server;
  private RestApi api;
  private Path kubeconfig;

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = RestApi.of(server, "");
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private JavaProcess startReplica(long leaseSeconds) throws Exception {
    return JavaProcess.startMooring(
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

  private static boolean isLeadershipLine(String line) {
    return line.contains(" leads by lease kube-system/mooring-controller-manager");
  }

  private void createPair(int number)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v-%1$d"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s%1$d", "nfs": {"server": "n", "path": "/"}}}
            """
                .formatted(number)));
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c-%1$d", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s%1$d", "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(number)));
  }

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void awaitBound(int number) {
    TestWait.until(
        "c-" + number + " is bound",
        () ->
            api.get("PersistentVolumeClaim", "default", "c-" + number)
                .getAsJsonObject("status")
                .get("phase")
                .getAsString()
                .equals("Bound"));
  }

  @Test
  void standby_leaderKilled_takesOver() throws Exception {
    try (JavaProcess leader = startReplica(SHORT_LEASE)) {
      leader.awaitLine(TwoReplicasTest::isLeadershipLine);
      try (JavaProcess standby = startReplica(SHORT_LEASE)) {
        standby.awaitLine(line -> line.contains("standing by: "));
        createPair(1);
        awaitBound(1);
        leader.kill();
        createPair(2);
        awaitBound(2);
        assertThat(standby.output()).anyMatch(TwoReplicasTest::isLeadershipLine);
        assertThat(leader.output()).noneMatch(line -> line.contains("standing by"));
      }
    }
  }

  @Test
  void standby_leaderStopped_takesOverImmediately() throws Exception {
    try (JavaProcess leader = startReplica(LONG_LEASE)) {
      leader.awaitLine(TwoReplicasTest::isLeadershipLine);
      try (JavaProcess standby = startReplica(LONG_LEASE)) {
        standby.awaitLine(line -> line.contains("standing by: "));
        assertThat(leader.stop()).isIn(0, 143);
        standby.awaitLine(TwoReplicasTest::isLeadershipLine); // before the lease would expire
      }
    }
  }

  @Test
  void standby_anotherLeads_warmsUp() throws Exception {
    try (JavaProcess leader = startReplica(LONG_LEASE)) {
      leader.awaitLine(TwoReplicasTest::isLeadershipLine);
      try (JavaProcess standby = startReplica(LONG_LEASE)) {
        standby.awaitLine(line -> line.contains("the warm-up is complete"));
        assertThat(leader.output()).noneMatch(line -> line.contains("warm-up"));
      }
    }
  }

  @Test
  void leader_leaseTaken_exits() throws Exception {
    try (JavaProcess leader = startReplica(SHORT_LEASE)) {
      leader.awaitLine(TwoReplicasTest::isLeadershipLine);
      api.patch(
          "Lease",
          "kube-system",
          "mooring-controller-manager",
          "",
          parse("{\"spec\": {\"holderIdentity\": \"other-replica\"}}"));
      leader.awaitLine(line -> line.contains("leadership is lost"));
      assertThat(leader.exitCode()).isEqualTo(1);
    }
  }
}
