package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.faults.FaultProxy;
import dev.mooring.it.faults.Faults;
import dev.mooring.it.faults.Invariants;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Removes the leader while the proxy silences the standby's watches and pods move to other nodes.
 * The new leader's caches are stale for every kind. Checks that no exclusive volume is attached
 * twice or detached from a running pod, and that no claim is marked Lost. {@code
 * -Dmooring.takeovers=20} sets the number of takeovers, {@code -Dmooring.takeovers.lease=15} the
 * lease duration in seconds for busy machines.
 */
class TakeoverTest {
  private static final int TAKEOVERS = Integer.getInteger("mooring.takeovers", 2);
  private static final long SEED = Long.getLong("mooring.takeovers.seed", 1);

  /** With a shorter duration, a leader on a busy machine loses its lease. */
  private static final int LEASE_SECONDS = Integer.getInteger("mooring.takeovers.lease", 8);

  private static final int NODES = 3;
  private static final int VOLUMES = 6;

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final int[] nodeOfVolume = new int[VOLUMES];
  private final List<String> pods = new ArrayList<>();
  private ApiServer server;
  private NodeSimulator nodes;
  private RestApi api;
  private Invariants invariants;
  private int createdPods;

  /** A process and the proxy through which it reaches the server. */
  private record Replica(JavaProcess process, FaultProxy proxy) implements AutoCloseable {
    boolean isWatching() {
      return proxy.isCalm();
    }

    @Override
    public void close() throws IOException {
      process.close();
      proxy.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    nodes = NodeSimulator.start(server.handlers(), NODES);
    api = RestApi.of(server, "");
    invariants = new Invariants(api);
  }

  @AfterEach
  void stop() throws IOException {
    nodes.close();
    server.close();
  }

  private Replica startReplica() throws Exception {
    FaultProxy proxy =
        FaultProxy.before(ServerEndpoint.of(server.url(), ""), Faults.NONE, null)
            .holding(invariants);
    Path kubeconfig = Files.createTempFile(folder, "kube", "config");
    Files.writeString(kubeconfig, proxy.kubeconfig());
    return new Replica(
        JavaProcess.startMooring(
            "run",
            "--mode=replace",
            "--kubeconfig",
            kubeconfig.toString(),
            "--endpoints=off",
            "--plugins",
            Resources.plugins().toString(),
            "--leader-elect-lease-duration=" + LEASE_SECONDS + "s",
            "--leader-elect-renew-deadline=" + (LEASE_SECONDS - 1) + "s",
            "--leader-elect-retry-period=500ms"),
        proxy);
  }

  private static boolean isLeadershipLine(String line) {
    return line.contains(" leads by lease kube-system/mooring-controller-manager");
  }

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void createPair(String name) throws Exception {
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v-%1$s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s-%1$s", "csi": {"driver": "simulated.mooring.dev", "volumeHandle": "h-%1$s"}}}
            """
                .formatted(name)));
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c-%1$s", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s-%1$s", "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(name)));
  }

  /** Ends the volume's pod and starts its successor on another node. */
  private void movePod(int volume) throws Exception {
    if (!pods.get(volume).isEmpty()) {
      api.delete("Pod", "default", pods.get(volume), 0);
    }
    nodeOfVolume[volume] = (nodeOfVolume[volume] + 1 + random.nextInt(NODES - 1)) % NODES;
    String name = "p-" + volume + "-" + ++createdPods;
    pods.set(volume, name);
    api.create(
        parse(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"nodeName": "node-%d", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c-%d"}}]}}
            """
                .formatted(name, nodeOfVolume[volume] + 1, volume)));
  }

  private void moveSomePods() throws Exception {
    for (int volume = 0; volume < VOLUMES; volume++) {
      if (random.nextBoolean()) {
        movePod(volume);
      }
    }
  }

  private boolean hasOnlyRunningPods() throws Exception {
    for (String pod : pods) {
      if (!phase("Pod", pod).equals("Running")) {
        return false;
      }
    }
    return true;
  }

  private String phase(String kind, String name) throws Exception {
    return api.get(kind, "default", name).getAsJsonObject("status").get("phase").getAsString();
  }

  private static void awaitCondition(
      String description, Replica replica, Callable<Boolean> condition) {
    TestWait.until(
        () ->
            description
                + "\n"
                + String.join("\n", replica.process().output())
                + "\n"
                + String.join("\n", replica.proxy().log()),
        condition);
  }

  /** Kills the leader, or gives its Lease to a client that never returns. */
  private void removeLeader(Replica leader, boolean byKill) throws Exception {
    if (byKill) {
      leader.process().kill();
      return;
    }
    api.patch(
        "Lease",
        "kube-system",
        "mooring-controller-manager",
        "",
        parse("{\"spec\": {\"holderIdentity\": \"other-replica\"}}"));
    assertThat(leader.process().exitCode()).isEqualTo(1);
  }

  private Replica takeOver(Replica leader, int takeover) throws Exception {
    Replica standby = startReplica();
    standby.process().awaitLine(line -> line.contains("standing by: "));
    awaitCondition("standby watches", standby, standby::isWatching);
    standby.proxy().mute();
    String pairName = "late-" + takeover;
    createPair(pairName);
    moveSomePods();
    awaitCondition(
        "leader works or has exited",
        leader,
        () ->
            !leader.process().isAlive()
                || hasOnlyRunningPods()
                    && phase("PersistentVolumeClaim", "c-" + pairName).equals("Bound"));
    moveSomePods(); // the leader stops while it attaches these volumes
    removeLeader(leader, takeover % 2 == 0);
    leader.close();
    moveSomePods();
    standby.process().awaitLine(TakeoverTest::isLeadershipLine);
    moveSomePods();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1000)));
    standby.proxy().unmute();
    standby = awaitConvergence(standby);
    assertThat(invariants.violations()).as("takeover " + takeover).isEmpty();
    return standby;
  }

  /**
   * Waits until every pod runs and every claim is bound. A leader without processor time may lose
   * its lease and exit. This method then starts another replica, as a Deployment does.
   *
   * @return the current leader
   */
  private Replica awaitConvergence(Replica leader) throws Exception {
    Replica current = leader;
    while (!hasConverged() || !current.process().isAlive()) {
      if (!current.process().isAlive()) {
        current.close();
        current = startReplica();
      }
      Replica observed = current;
      awaitCondition(
          "all pods run and all claims are bound",
          observed,
          () -> !observed.process().isAlive() || hasConverged());
    }
    return current;
  }

  private boolean hasConverged() throws Exception {
    return hasOnlyRunningPods()
        && api.list("PersistentVolumeClaim").stream()
            .allMatch(claim ->
                claim.getAsJsonObject("status").get("phase").getAsString().equals("Bound"));
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void takeovers_staleCaches_keepInvariants() throws Exception {
    for (int volume = 0; volume < VOLUMES; volume++) {
      createPair(Integer.toString(volume));
      nodeOfVolume[volume] = volume % NODES;
      pods.add("");
      movePod(volume);
    }
    Replica leader = startReplica();
    try {
      leader.process().awaitLine(TakeoverTest::isLeadershipLine);
      leader = awaitConvergence(leader);
      for (int takeover = 0; takeover < TAKEOVERS; takeover++) {
        leader = takeOver(leader, takeover);
      }
    } finally {
      leader.close();
    }
  }
}
