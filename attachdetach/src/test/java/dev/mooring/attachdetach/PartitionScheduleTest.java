package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.PartitionedCluster.Machine;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Node;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.NodeFencing;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Partition schedules: nodes lose power or the network, come back, are created again; the plugin
 * fails; two replicas alternate; the API server fails. {@code -Dmooring.partitions=10000} plays
 * 10,000 schedules, {@code -Dmooring.partitions.first=N} begins with seed N.
 */
class PartitionScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("mooring.partitions", 25);
  private static final int FIRST = Integer.getInteger("mooring.partitions.first", 1);
  private static final int MACHINES = 3;
  private static final int FAULTY_SECONDS = 400;
  private static final int CALM_SECONDS = 120;
  private static final int FAILOVER_SECONDS = 15;

  private static final class Schedule {
    final Random random;
    final SimTime time = new SimTime();
    final FaultyCluster faults = new FaultyCluster();
    final PartitionedCluster cluster = new PartitionedCluster(faults.cluster(), time, MACHINES);
    final List<StepwiseController> replicas = new ArrayList<>();
    final List<String> history = new ArrayList<>();
    boolean isCalm;
    boolean isProbing;
    int leader;
    int taints;
    int moves;

    Schedule(long seed) throws InterruptedException {
      random = new Random(seed);
      faults.onWrite(this::failWrite).onRead(request -> failRead());
      for (int i = 0; i < 2; i++) {
        StepwiseController replica =
            new StepwiseController(
                new OutOfServiceController(
                        faults.cluster().informers(),
                        TestPorts.of(faults, faults.cluster(), time),
                        plugins())
                    .spec(),
                time);
        replica.start();
        replicas.add(replica);
      }
    }

    private LoadedPlugins plugins() {
      return new TestPlugin("example.com/bmc")
          .withFencing(
              new NodeFencing() {
                @Override
                public Verdict assess(String node) {
                  return Schedule.this.assess(node);
                }

                @Override
                public Scope scope() {
                  return Scope.MACHINE;
                }
              })
          .loaded();
    }

    // the machine may change before the verdict has arrived
    private NodeFencing.Verdict assess(String node) {
      Machine machine = cluster.machines.get(node);
      NodeFencing.Verdict verdict =
          isCalm || random.nextInt(6) > 0
              ? machine.isOn
                  ? new NodeFencing.Verdict.Unproven("it is on")
                  : new NodeFencing.Verdict.Dead("it is off")
              : new NodeFencing.Verdict.Unproven("the management board does not answer");
      if (!isCalm && !isProbing && random.nextInt(3) == 0) {
        isProbing = true;
        changeDuringProof(machine);
        isProbing = false;
      }
      return verdict;
    }

    private void changeDuringProof(Machine machine) {
      switch (random.nextInt(5)) {
        case 0 -> {
          cluster.turnOn(machine);
          cluster.runKubelet(machine);
        }
        case 1 -> {
          cluster.turnOn(machine);
          cluster.recreateNode(machine);
        }
        case 2 -> changeTaintsByHand(machine);
        case 3 -> {
          cluster.turnOn(machine);
          cluster.runKubelet(machine);
          cluster.reportNotReady(machine); // its pods run
        }
        default -> step(1 - leader); // a replica that does not yet know that it lost the Lease
      }
    }

    private @Nullable WriteResult<?> failWrite(FaultyCluster.Request request) {
      if (isCalm || random.nextInt(8) > 0) {
        return null;
      }
      if (random.nextBoolean()) {
        faults.cluster().patch(request.kind(), request.key(), request.document());
      }
      return new WriteResult.Unreachable<Node>("timeout");
    }

    private @Nullable ReadResult<?> failRead() {
      return isCalm || random.nextInt(8) > 0 ? null : new ReadResult.Failed<Node>("timeout");
    }

    private void step(int replica) {
      try {
        replicas.get(replica).settle();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      verify();
    }

    private void changeTaintsByHand(Machine machine) {
      cluster
          .node(machine.name)
          .ifPresent(node -> {
            List<String> taints = new ArrayList<>(node.taints());
            boolean isOutOfService = node.isOutOfService();
            taints.removeIf(taint -> taint.startsWith("node.kubernetes.io/out-of-service"));
            if (!isOutOfService && !machine.isOn) {
              taints.add(PartitionedCluster.OF_ADMINISTRATOR);
            }
            cluster.setTaints(machine.name, taints);
          });
    }

    private void disturb() {
      List<Machine> all = List.copyOf(cluster.machines.values());
      Machine machine = all.get(random.nextInt(all.size()));
      int draw = random.nextInt(12);
      history.add(time.now() + " " + draw + " " + machine.name);
      switch (draw) {
        case 0, 1, 2 -> cluster.turnOff(machine);
        case 3, 4 -> machine.isCutOff = true;
        case 5, 6 -> machine.isCutOff = false;
        case 7 -> cluster.turnOn(machine);
        case 8 -> cluster.recreateNode(machine);
        case 9 -> cluster.reportNotReady(machine);
        case 10 -> changeTaintsByHand(machine);
        default -> leader = 1 - leader;
      }
    }

    private void second() {
      time.advance(Duration.ofSeconds(1));
      for (Machine machine : cluster.machines.values()) {
        if (cluster.seconds() % 10 == machine.name.charAt(1) % 10) {
          cluster.runKubelet(machine);
        }
      }
      cluster.markSilentNodes();
      step(leader);
      cluster.moveVolumes();
      verify();
    }

    private void verify() {
      assertThat(cluster.findDoubleWriters()).as("pods that write on two machines").isEmpty();
    }

    private void verifyTaints(Map<String, Boolean> before) {
      for (Machine machine : cluster.machines.values()) {
        if (cluster.hasOwnTaint(machine.name) && !before.getOrDefault(machine.name, false)) {
          taints++;
          assertThat(machine.isWriting()).as("%s is tainted and writes", machine.name).isFalse();
        }
      }
    }

    /** Runs a second and checks the taints that it added. */
    private void play() {
      Map<String, Boolean> before = new HashMap<>();
      cluster.machines.keySet().forEach(name -> before.put(name, cluster.hasOwnTaint(name)));
      second();
      verifyTaints(before);
    }

    private void playFaults() {
      for (int i = 0; i < FAULTY_SECONDS; i++) {
        if (random.nextInt(12) == 0) {
          disturb();
        }
        play();
      }
    }

    /** Turns one machine off for good, without further faults. */
    private void playFailover() {
      isCalm = true;
      for (Machine machine : cluster.machines.values()) {
        machine.isCutOff = false;
        cluster.turnOn(machine);
      }
      for (int i = 0; i < CALM_SECONDS; i++) {
        play();
      }
      verifyReturn();
      Machine stoppedMachine = cluster.machines.get("n" + random.nextInt(MACHINES));
      List<String> podsOfMachine = List.copyOf(stoppedMachine.pods);
      cluster.turnOff(stoppedMachine);
      long provable = 0;
      for (int i = 0; i < CALM_SECONDS; i++) {
        play();
        if (provable == 0
            && cluster.node(stoppedMachine.name).filter(n -> !n.isReady()).isPresent()) {
          provable = cluster.seconds();
        }
        boolean isMoved =
            podsOfMachine.stream()
                .noneMatch(pod -> cluster.places.get(pod).equals(stoppedMachine.name));
        if (isMoved) {
          moves += podsOfMachine.size();
          break;
        }
        assertThat(provable == 0 || cluster.seconds() - provable <= FAILOVER_SECONDS)
            .as("volumes of %s are attached elsewhere in time", stoppedMachine.name)
            .isTrue();
      }
    }

    private void verifyReturn() {
      for (String name : cluster.machines.keySet()) {
        Node node = cluster.node(name).orElseThrow();
        assertThat(node.isReady()).isTrue();
        assertThat(node.taints()).as("taints of %s after its return", name).isEmpty();
        assertThat(node.meta().annotations()).as("annotations of %s", name).isEmpty();
      }
    }
  }

  private static final Logger LOGS = Logger.getLogger("dev.mooring");

  @BeforeAll
  static void silenceLogs() {
    LOGS.setLevel(Level.OFF);
  }

  @AfterAll
  static void restoreLogs() {
    LOGS.setLevel(null);
  }

  @Test
  void schedules_partitionsAndPowerLosses_taintOnlyNodesThatAreOff() throws Exception {
    int taints = 0;
    int moves = 0;
    for (int seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
      Schedule schedule = new Schedule(seed);
      try {
        schedule.playFaults();
        schedule.playFailover();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", history " + schedule.history, e);
      }
      taints += schedule.taints;
      moves += schedule.moves;
    }
    assertThat(taints).as("taints").isGreaterThan(SCHEDULES);
    assertThat(moves).as("moved volumes").isGreaterThan(SCHEDULES / 2);
  }
}
