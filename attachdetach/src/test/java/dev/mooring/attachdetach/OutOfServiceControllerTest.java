package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.PartitionedCluster.Machine;
import dev.mooring.attachdetach.decide.OutOfServiceMark;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.NodeFencing;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutOfServiceControllerTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final PartitionedCluster cluster = new PartitionedCluster(server.cluster(), time, 2);
  private final Machine machine = cluster.machines.get("n0");
  private final List<String> questions = new ArrayList<>();
  private OutOfServiceController outOfService;
  private NodeFencing.Verdict verdict = new NodeFencing.Verdict.Dead("it has no power");

  private StepwiseController start(NodeFencing.Scope scope) throws InterruptedException {
    NodeFencing fencing =
        new NodeFencing() {
          @Override
          public Verdict assess(String node) {
            questions.add(node);
            return verdict;
          }

          @Override
          public Scope scope() {
            return scope;
          }
        };
    outOfService =
        new OutOfServiceController(
            server.cluster().informers(),
            TestPorts.of(server, server.cluster(), time),
            new TestPlugin("example.com/power").withFencing(fencing).loaded());
    StepwiseController controller = new StepwiseController(outOfService.spec(), time);
    controller.start();
    return controller;
  }

  /** Lets the Lease of the node lapse. */
  private void fallSilent() {
    machine.isCutOff = true;
    time.advance(Duration.ofSeconds(41));
    cluster.runKubelet(cluster.machines.get("n1"));
    cluster.markSilentNodes();
  }

  private List<String> reasons() {
    return server.cluster().events().stream().map(ClusterEvent::reason).toList();
  }

  @Test
  void node_onlyPluginVolumesProvenUnreachable_isNotTainted() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.VOLUMES);
    fallSilent();
    controller.settle();
    assertThat(cluster.hasOwnTaint("n0")).isFalse();
    assertThat(questions).isEmpty();
    assertThat(time.pendingTimers()).as("rechecks").isZero();
  }

  @Test
  void node_leaseLapsedWithoutProof_isNotTaintedOrRead() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    verdict = new NodeFencing.Verdict.Unproven("it has power");
    fallSilent();
    for (int i = 0; i < 100; i++) {
      controller.settle();
      time.advance(Duration.ofSeconds(5));
    }
    assertThat(questions).hasSizeGreaterThan(50).containsOnly("n0");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void node_provenOff_isTaintedWithEvent() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    assertThat(cluster.hasOwnTaint("n0")).isTrue();
    assertThat(cluster.hasOwnTaint("n1")).isFalse();
    assertThat(outOfService.countTainted()).isOne();
    assertThat(reasons()).containsExactly("OutOfServiceTaintAdded");
    assertThat(server.writes().getLast().document().toString()).contains("uid", "resourceVersion");
  }

  @Test
  void node_proofOfSeveralLines_isRecordedInOne() throws Exception {
    verdict = new NodeFencing.Verdict.Dead("no power\nsince \u202e noon");
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    assertThat(cluster.node("n0").orElseThrow().meta().annotations().values())
        .singleElement()
        .asString()
        .endsWith("by plugin example.com/power: no power since \ufffd noon");
  }

  @Test
  void node_readyWithoutRestart_keepsTaintAndGetsOneEvent() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    machine.isCutOff = false;
    for (int i = 0; i < 10; i++) {
      cluster.runKubelet(machine);
      controller.settle();
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(cluster.hasOwnTaint("n0")).isTrue();
    assertThat(reasons()).containsExactly("OutOfServiceTaintAdded", "OutOfServiceTaintKept");
  }

  @Test
  void node_readyAfterRestart_losesTaintOnceNoPluginCallsItOff() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    cluster.turnOff(machine);
    cluster.turnOn(machine);
    machine.isCutOff = false;
    cluster.runKubelet(machine);
    controller.settle();
    assertThat(cluster.hasOwnTaint("n0")).as("while a plugin reports it as off").isTrue();
    verdict = new NodeFencing.Verdict.Unproven("it has power");
    time.advance(Duration.ofSeconds(5));
    controller.settle();
    assertThat(cluster.hasOwnTaint("n0")).isFalse();
    assertThat(cluster.node("n0").orElseThrow().meta().annotations()).isEmpty();
    assertThat(reasons()).containsExactly("OutOfServiceTaintAdded", "OutOfServiceTaintRemoved");
  }

  /** A plugin may notice a start late. */
  @Test
  void node_calledOffLongAfterRestart_keepsTaintAndGetsOneEvent() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    cluster.turnOff(machine);
    cluster.turnOn(machine);
    machine.isCutOff = false;
    for (int i = 0; i < 30; i++) {
      cluster.runKubelet(machine);
      controller.settle();
      if (i < 10) {
        assertThat(reasons()).as("within a minute").containsExactly("OutOfServiceTaintAdded");
      }
      time.advance(Duration.ofSeconds(5));
    }
    assertThat(cluster.hasOwnTaint("n0")).isTrue();
    assertThat(reasons()).containsExactly("OutOfServiceTaintAdded", "OutOfServiceTaintKept");
    assertThat(server.cluster().events().getLast().note())
        .contains("plugin example.com/power still proves that it is off", "it has no power");
    verdict = new NodeFencing.Verdict.Unproven("it has power");
    controller.settle();
    assertThat(cluster.hasOwnTaint("n0")).isFalse();
  }

  @Test
  void node_annotationRemoved_keepsTaintAndGetsOneEvent() throws Exception {
    StepwiseController controller = start(NodeFencing.Scope.MACHINE);
    fallSilent();
    controller.settle();
    server
        .cluster()
        .patch(
            Kind.NODE,
            ObjectKey.cluster("n0"),
            Document.empty().set(null, "metadata", "annotations", OutOfServiceMark.ANNOTATION));
    cluster.turnOff(machine);
    cluster.turnOn(machine);
    machine.isCutOff = false;
    for (int i = 0; i < 10; i++) {
      cluster.runKubelet(machine);
      controller.settle();
      time.advance(Duration.ofMinutes(1));
    }
    assertThat(cluster.hasOwnTaint("n0")).isTrue();
    assertThat(reasons()).containsExactly("OutOfServiceTaintAdded", "OutOfServiceTaintKept");
    assertThat(server.cluster().events().getLast().note()).contains(OutOfServiceMark.ANNOTATION);
  }
}
