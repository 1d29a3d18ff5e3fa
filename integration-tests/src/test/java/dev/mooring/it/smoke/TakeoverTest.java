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
 * Removes a leader while the standby's watches are silent and pods move, so that the new leader's
 * cache is stale in every kind. No exclusive volume is attached twice or detached from a running
 * pod, and no claim is marked Lost. {@code -Dmooring.takeovers=20} sets the number of takeovers,
 * {@code -Dmooring.takeovers.lease=15} the lease duration for busy machines.
 */
class TakeoverTest {
  private static final int TAKEOVERS = Integer.getInteger("mooring.takeovers", 2);
  private static final long SEED = Long.getLong("mooring.takeovers.seed", 1);

  /** Seconds; with less a busy leader loses its lease unintentionally. */
  private static final int LEASE = Integer.getInteger("mooring.takeovers.lease", 8);

  private static final int NODES = 3;
  private static final int VOLUMES = 6;

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final int[] places = new int[VOLUMES];
  private final List<String> pods = new ArrayList<>();
  private ApiServer server;
  private NodeSimulator nodes;
  private RestApi api;
  private Invariants invariants;
  private int made;

  /** A process with the proxy between it and the server. */
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
    api = new RestApi(server.url(), "");
    invariants = new Invariants(api);
  }

  @AfterEach
  void stop() throws IOException {
    nodes.close();
    server.close();
  }

  private Replica replica() throws Exception {
    FaultProxy proxy =
        FaultProxy.before(ServerEndpoint.of(server.url(), ""), Faults.NONE, null)
            .holding(invariants);
    Path kubeconfig = Files.createTempFile(folder, "kube", "config");
    Files.writeString(kubeconfig, proxy.kubeconfig());
    return new Replica(
        JavaProcess.mooring(
            "run",
            "--mode=replace",
            "--kubeconfig",
            kubeconfig.toString(),
            "--endpoints=off",
            "--plugins",
            Resources.plugins().toString(),
            "--leader-elect-lease-duration=" + LEASE + "s",
            "--leader-elect-renew-deadline=" + (LEASE - 1) + "s",
            "--leader-elect-retry-period=500ms"),
        proxy);
  }

  private static boolean leads(String line) {
    return line.contains(" leads by lease kube-system/mooring-controller-manager");
  }

  private static JsonObject parsed(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private void pair(String name) throws Exception {
    api.create(
        parsed(
            """
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v-%1$s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "s-%1$s", "csi": {"driver": "simulated.mooring.dev", "volumeHandle": "h-%1$s"}}}
            """
                .formatted(name)));
    api.create(
        parsed(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c-%1$s", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s-%1$s", "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(name)));
  }

  /** Ends the volume's pod and starts its successor on another node. */
  private void move(int volume) throws Exception {
    if (!pods.get(volume).isEmpty()) {
      api.delete("Pod", "default", pods.get(volume), 0);
    }
    places[volume] = (places[volume] + 1 + random.nextInt(NODES - 1)) % NODES;
    String name = "p-" + volume + "-" + ++made;
    pods.set(volume, name);
    api.create(
        parsed(
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"}, "spec": {"nodeName": "node-%d", "containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c-%d"}}]}}
            """
                .formatted(name, places[volume] + 1, volume)));
  }

  private void moveSome() throws Exception {
    for (int volume = 0; volume < VOLUMES; volume++) {
      if (random.nextBoolean()) {
        move(volume);
      }
    }
  }

  private boolean allRun() throws Exception {
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

  private static void until(String description, Replica replica, Callable<Boolean> condition) {
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
  private void removeLeader(Replica leader, boolean killed) throws Exception {
    if (killed) {
      leader.process().kill();
      return;
    }
    api.patch(
        "Lease",
        "kube-system",
        "mooring-controller-manager",
        "",
        parsed("{\"spec\": {\"holderIdentity\": \"thief\"}}"));
    assertThat(leader.process().exitCode()).isEqualTo(1);
  }

  private Replica takeOver(Replica leader, int takeover) throws Exception {
    Replica next = replica();
    next.process().awaitLine(line -> line.contains("standing by: "));
    until("standby watches", next, next::isWatching);
    next.proxy().mute();
    String late = "late-" + takeover;
    pair(late);
    moveSome();
    until(
        "leader works or has exited",
        leader,
        () ->
            !leader.process().isAlive()
                || allRun() && phase("PersistentVolumeClaim", "c-" + late).equals("Bound"));
    moveSome(); // the leader disappears in the middle
    removeLeader(leader, takeover % 2 == 0);
    leader.close();
    moveSome();
    next.process().awaitLine(TakeoverTest::leads);
    moveSome();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1000)));
    next.proxy().unmute();
    next = untilAllIsDone(next);
    assertThat(invariants.violations()).as("takeover " + takeover).isEmpty();
    return next;
  }

  /**
   * Waits until every pod runs and every claim is bound. A leader without processor time may lose
   * its lease and exit; then another replica is started, as a Deployment would do.
   *
   * @return the current leader
   */
  private Replica untilAllIsDone(Replica leader) throws Exception {
    Replica now = leader;
    while (!allIsDone() || !now.process().isAlive()) {
      if (!now.process().isAlive()) {
        now.close();
        now = replica();
      }
      Replica looked = now;
      until(
          "all pods run and all claims are bound",
          looked,
          () -> !looked.process().isAlive() || allIsDone());
    }
    return now;
  }

  private boolean allIsDone() throws Exception {
    return allRun()
        && api.list("PersistentVolumeClaim").stream()
            .allMatch(claim ->
                claim.getAsJsonObject("status").get("phase").getAsString().equals("Bound"));
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void takeovers_staleCaches_keepInvariants() throws Exception {
    for (int volume = 0; volume < VOLUMES; volume++) {
      pair(Integer.toString(volume));
      places[volume] = volume % NODES;
      pods.add("");
      move(volume);
    }
    Replica leader = replica();
    try {
      leader.process().awaitLine(TakeoverTest::leads);
      leader = untilAllIsDone(leader);
      for (int takeover = 0; takeover < TAKEOVERS; takeover++) {
        leader = takeOver(leader, takeover);
      }
    } finally {
      leader.close();
    }
  }
}
