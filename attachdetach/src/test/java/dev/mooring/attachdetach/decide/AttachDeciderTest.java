package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.NodeView.State;
import dev.mooring.attachdetach.decide.NodeView.Trace;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Decision table; each row has an id. */
class AttachDeciderTest extends AttachDeciderFixture {
  private static final DetachRules NO_FORCE = new DetachRules(false, false);

  private static Arguments row(
      String id, boolean exclusive, DetachRules rules, List<TestNode> nodes, AttachStep... steps) {
    return arguments(id, exclusive, rules, nodes, List.of(steps));
  }

  private static AttachStep createHold(
      String node, HoldReason reason, @Nullable Duration remainingWait) {
    return new AttachStep.Hold(new VolumeHolder(node, reason, remainingWait));
  }

  private static AttachStep createBlocked(String node, VolumeHolder... holders) {
    return new AttachStep.Blocked(node, List.of(holders));
  }

  static Stream<Arguments> rows() {
    Duration fiveMinutes = Duration.ofMinutes(5);
    Duration sixMinutes = DetachRules.FORCE_DETACH_WAIT;
    TestNode attached = TestNode.attached("n1");
    TestNode nodeWithPod = TestNode.needing("n2");
    TestNode onlyInUse = attached.withAttachState(AttachState.UNCERTAIN).withUse();
    return Stream.of(
        row("1: neither wanted nor attached", true, RULES, List.of()),
        row("2: a pod wants it", true, RULES, List.of(nodeWithPod), new AttachStep.Attach("n2")),
        row(
            "2: it is attached",
            true,
            RULES,
            List.of(attached.withPod()),
            new AttachStep.Keep("n1")),
        row(
            "3: the pod has ended and the volume is unmounted",
            true,
            RULES,
            List.of(attached),
            new AttachStep.Detach("n1", Grounds.UNUSED)),
        row(
            "4: mounted on a node that is not ready, within the waiting time",
            true,
            RULES,
            List.of(attached.withUse().state(State.NOT_READY).withoutPodFor(fiveMinutes)),
            createHold("n1", HoldReason.IN_USE_NOT_READY, Duration.ofMinutes(1).plusMillis(1))),
        row(
            "4: mounted on a node that was deleted just now",
            true,
            RULES,
            List.of(attached.withUse().state(State.GONE)),
            createHold("n1", HoldReason.IN_USE_GONE, sixMinutes.plusMillis(1))),
        row(
            "4: exactly at the end of the waiting time it stays",
            true,
            RULES,
            List.of(attached.withUse().state(State.NOT_READY).withoutPodFor(sixMinutes)),
            createHold("n1", HoldReason.IN_USE_NOT_READY, Duration.ofMillis(1))),
        row(
            "4 and 14: after the waiting time",
            true,
            RULES,
            List.of(
                attached.withUse().state(State.NOT_READY).withoutPodFor(sixMinutes.plusNanos(1))),
            new AttachStep.Detach("n1", Grounds.TIMEOUT)),
        row(
            "14: never from a ready node",
            true,
            RULES,
            List.of(attached.withUse().withoutPodFor(Duration.ofHours(1))),
            createHold("n1", HoldReason.IN_USE, null)),
        row(
            "15: force switched off",
            true,
            NO_FORCE,
            List.of(attached.withUse().state(State.NOT_READY).withoutPodFor(Duration.ofHours(1))),
            createHold("n1", HoldReason.IN_USE_NOT_READY, null)),
        row(
            "15: but the taint counts",
            true,
            NO_FORCE,
            List.of(attached.withUse().state(State.NOT_READY).withTaint()),
            new AttachStep.Detach("n1", Grounds.OUT_OF_SERVICE)),
        row(
            "12: out of service, mounted",
            true,
            RULES,
            List.of(attached.withUse().withTaint()),
            new AttachStep.Detach("n1", Grounds.OUT_OF_SERVICE)),
        row(
            "13: no taint, mounted",
            true,
            RULES,
            List.of(attached.withUse()),
            createHold("n1", HoldReason.IN_USE, null)),
        row(
            "found dead",
            true,
            RULES,
            List.of(attached.withUse().state(State.NOT_READY).withProofOfDeath()),
            new AttachStep.Detach("n1", Grounds.EVIDENCE)),
        row(
            "proved dead, and ready again",
            true,
            RULES,
            List.of(attached.withUse().withProofOfDeath()),
            createHold("n1", HoldReason.IN_USE, null)),
        row(
            "6: many nodes may have it",
            false,
            RULES,
            List.of(attached.withPod(), nodeWithPod),
            new AttachStep.Keep("n1"),
            new AttachStep.Attach("n2")),
        row(
            "6: the pod on one of them ends",
            false,
            RULES,
            List.of(nodeWithPod.withAttachState(AttachState.ATTACHED), attached),
            new AttachStep.Keep("n2"),
            new AttachStep.Detach("n1", Grounds.UNUSED)),
        row(
            "7: another node has it",
            true,
            RULES,
            List.of(attached.withPod(), nodeWithPod),
            new AttachStep.Keep("n1"),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.WANTED, null))),
        row(
            "7: another node has it, and its pod, but is not ready",
            true,
            RULES,
            List.of(attached.withPod().state(State.NOT_READY), nodeWithPod),
            new AttachStep.Keep("n1"),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.WANTED_NOT_READY, null))),
        row(
            "7: the same with the taint: pod garbage collection ends its pod",
            true,
            RULES,
            List.of(attached.withPod().state(State.NOT_READY).withTaint(), nodeWithPod),
            new AttachStep.Keep("n1"),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.WANTED, null))),
        row(
            "7: another node's pod has ended",
            true,
            RULES,
            List.of(nodeWithPod, attached),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.DETACHING, null)),
            new AttachStep.Detach("n1", Grounds.UNUSED)),
        row(
            "7: another node is detaching it",
            true,
            RULES,
            List.of(nodeWithPod, attached.withOperation(Operation.DETACH)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.DETACHING, null)),
            new AttachStep.Busy("n1")),
        row(
            "7: another node keeps it in use",
            true,
            RULES,
            List.of(nodeWithPod, attached.withUse()),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.IN_USE, null)),
            createHold("n1", HoldReason.IN_USE, null)),
        row(
            "8: an uncertain attach on its own node is retried",
            true,
            RULES,
            List.of(attached.withPod().withAttachState(AttachState.UNCERTAIN)),
            new AttachStep.Attach("n1")),
        row(
            "9: an uncertain attach without a pod is detached",
            true,
            RULES,
            List.of(attached.withAttachState(AttachState.UNCERTAIN)),
            new AttachStep.Detach("n1", Grounds.UNUSED)),
        row(
            "9: an uncertain attach keeps an exclusive volume from other nodes",
            true,
            RULES,
            List.of(nodeWithPod, attached.withAttachState(AttachState.UNCERTAIN)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.DETACHING, null)),
            new AttachStep.Detach("n1", Grounds.UNUSED)),
        row(
            "11: a failed detach also blocks the next node",
            true,
            RULES,
            List.of(
                nodeWithPod,
                attached.withAttachState(AttachState.UNCERTAIN).withOperation(Operation.DETACH)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.DETACHING, null)),
            new AttachStep.Busy("n1")),
        row(
            "16: the pod is back before the detach",
            true,
            RULES,
            List.of(attached.withPod().withoutPodFor(fiveMinutes)),
            new AttachStep.Keep("n1")),
        row(
            "an attach runs",
            true,
            RULES,
            List.of(
                attached
                    .withPod()
                    .withAttachState(AttachState.UNCERTAIN)
                    .withOperation(Operation.ATTACH)),
            new AttachStep.Busy("n1")),
        row(
            "an attach runs, the pod has ended",
            true,
            RULES,
            List.of(
                attached.withAttachState(AttachState.UNCERTAIN).withOperation(Operation.ATTACH)),
            new AttachStep.Busy("n1")),
        row(
            "two want it, no node has it: the oldest gets it",
            true,
            RULES,
            List.of(TestNode.needing("n9"), nodeWithPod),
            new AttachStep.Attach("n9"),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.ATTACHING, null))),
        row(
            "two want it, no node has it, the second reports it in use: it may have mounted it",
            true,
            RULES,
            List.of(TestNode.needing("n9"), nodeWithPod.withUse()),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Attach("n2")),
        row(
            "two want it, the first has failed twice: it has one more attempt",
            true,
            RULES,
            List.of(
                TestNode.needing("n9").withAttachState(AttachState.UNCERTAIN).withFailures(2),
                nodeWithPod),
            new AttachStep.Attach("n9"),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.ATTACHING, null))),
        row(
            "two want it, the first has failed three times: it is detached there first",
            true,
            RULES,
            List.of(
                TestNode.needing("n9").withAttachState(AttachState.UNCERTAIN).withFailures(3),
                nodeWithPod),
            new AttachStep.Detach("n9", Grounds.UNUSED),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.ATTACHING, null))),
        row(
            "two want it, the first has failed three times and has nothing: the second's turn",
            true,
            RULES,
            List.of(TestNode.needing("n9").withFailures(3), nodeWithPod),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Attach("n2")),
        row(
            "two want it, both have failed three times: the possible holder keeps the turn",
            true,
            RULES,
            List.of(
                TestNode.needing("n9").withFailures(3),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN).withFailures(3)),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Attach("n2")),
        row(
            "two want it, the first fails but reports it in use: it may have mounted it",
            true,
            RULES,
            List.of(
                TestNode.needing("n9")
                    .withAttachState(AttachState.UNCERTAIN)
                    .withUse()
                    .withFailures(9),
                nodeWithPod),
            new AttachStep.Attach("n9"),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.UNCERTAIN, null))),
        row(
            "two want it, the first fails, reports it in use for waiting pods and lacks it",
            true,
            RULES,
            List.of(TestNode.needing("n9").withUse().withFailures(3), nodeWithPod),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Attach("n2")),
        row(
            "two want it, both may have it and report it in use: neither gets it",
            true,
            RULES,
            List.of(
                TestNode.needing("n9").withAttachState(AttachState.UNCERTAIN).withUse(),
                TestNode.needing("n2").withAttachState(AttachState.UNCERTAIN).withUse()),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.UNCERTAIN, null)),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.UNCERTAIN, null))),
        row(
            "shared: a failing node takes nothing from the others",
            false,
            RULES,
            List.of(TestNode.needing("n9").withFailures(9), nodeWithPod),
            new AttachStep.Attach("n9"),
            new AttachStep.Attach("n2")),
        row(
            "two want it, the second may have it: it is attached there",
            true,
            RULES,
            List.of(TestNode.needing("n9"), nodeWithPod.withAttachState(AttachState.UNCERTAIN)),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Attach("n2")),
        row(
            "two want it and both may have it: one is detached first",
            true,
            RULES,
            List.of(
                TestNode.needing("n9").withAttachState(AttachState.UNCERTAIN),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN)),
            createBlocked("n9", new VolumeHolder("n2", HoldReason.ATTACHING, null)),
            new AttachStep.Detach("n2", Grounds.UNUSED)),
        row(
            "two want it, the first fails and cannot have mounted it despite its report",
            true,
            RULES,
            List.of(
                TestNode.needing("n9")
                    .withAttachState(AttachState.UNCERTAIN)
                    .withUse()
                    .withFailures(3)
                    .trace(Trace.NEVER_LISTED),
                nodeWithPod),
            new AttachStep.Detach("n9", Grounds.NEVER_LISTED),
            createBlocked("n2", new VolumeHolder("n9", HoldReason.ATTACHING, null))),
        row(
            "only its own report shows the use, since a moment",
            true,
            RULES,
            List.of(nodeWithPod, onlyInUse.withoutPodFor(fiveMinutes).trace(Trace.ONLY_IN_USE)),
            createBlocked(
                "n2",
                new VolumeHolder(
                    "n1", HoldReason.IN_USE_UNTRACED, Duration.ofMinutes(1).plusMillis(1))),
            createHold("n1", HoldReason.IN_USE_UNTRACED, Duration.ofMinutes(1).plusMillis(1))),
        row(
            "only its own report shows the use, for six minutes",
            true,
            RULES,
            List.of(
                nodeWithPod,
                onlyInUse.withoutPodFor(sixMinutes.plusNanos(1)).trace(Trace.ONLY_IN_USE)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.IN_USE_UNTRACED, null)),
            new AttachStep.Detach("n1", Grounds.UNTRACED)),
        row(
            "only its own report shows the use, for six minutes, and no node waits",
            true,
            RULES,
            List.of(onlyInUse.withoutPodFor(sixMinutes.plusNanos(1)).trace(Trace.ONLY_IN_USE)),
            createHold("n1", HoldReason.IN_USE_UNTRACED, null)),
        row(
            "unmanaged, with a pod",
            true,
            RULES,
            List.of(TestNode.needing("n1").state(State.UNMANAGED)),
            new AttachStep.LeaveToKubelet("n1")),
        row(
            "unmanaged, without a pod",
            true,
            RULES,
            List.of(attached.state(State.UNMANAGED)),
            new AttachStep.LeaveToKubelet("n1")),
        row(
            "unmanaged, and shared",
            false,
            RULES,
            List.of(attached.state(State.UNMANAGED), nodeWithPod),
            new AttachStep.LeaveToKubelet("n1"),
            new AttachStep.Attach("n2")),
        row(
            "a volume on an unmanaged node goes to no other node",
            true,
            RULES,
            List.of(nodeWithPod, attached.state(State.UNMANAGED)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.UNMANAGED, null)),
            new AttachStep.LeaveToKubelet("n1")),
        row(
            "a volume wanted on an unmanaged node goes to no other node",
            true,
            RULES,
            List.of(nodeWithPod, TestNode.needing("n1").state(State.UNMANAGED)),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.UNMANAGED, null)),
            new AttachStep.LeaveToKubelet("n1")),
        row(
            "waiting pods on an unmanaged node do not stop a started attach elsewhere",
            true,
            RULES,
            List.of(
                TestNode.needing("n1").state(State.UNMANAGED),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN)),
            new AttachStep.LeaveToKubelet("n1"),
            new AttachStep.Attach("n2")),
        row(
            "a node that may have mounted the volume precedes an older waiting pod",
            true,
            RULES,
            List.of(
                TestNode.needing("n1")
                    .withAttachState(AttachState.UNCERTAIN)
                    .withUse()
                    .trace(Trace.NEVER_LISTED),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN).withUse()),
            new AttachStep.Detach("n1", Grounds.NEVER_LISTED),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.ATTACHING, null))),
        row(
            "a started attach ends once an unmanaged node has an attachment",
            true,
            RULES,
            List.of(
                attached.state(State.UNMANAGED).withAttachState(AttachState.UNCERTAIN),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN)),
            new AttachStep.LeaveToKubelet("n1"),
            new AttachStep.Detach("n2", Grounds.UNUSED)),
        row(
            "a started attach ends if the kubelet uses the volume without a listed attachment",
            true,
            RULES,
            List.of(
                attached.state(State.UNMANAGED),
                nodeWithPod
                    .withAttachState(AttachState.UNCERTAIN)
                    .withUse()
                    .trace(Trace.NEVER_LISTED)),
            new AttachStep.LeaveToKubelet("n1"),
            new AttachStep.Detach("n2", Grounds.NEVER_LISTED)),
        row(
            "a started attach on a node that may have mounted the volume stays",
            true,
            RULES,
            List.of(
                attached.state(State.UNMANAGED),
                nodeWithPod.withAttachState(AttachState.UNCERTAIN).withUse()),
            new AttachStep.LeaveToKubelet("n1"),
            createBlocked("n2", new VolumeHolder("n1", HoldReason.UNMANAGED, null))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void decide_nodeStates_returnsStepsOfRow(
      String id,
      boolean exclusive,
      DetachRules rules,
      List<TestNode> nodes,
      List<AttachStep> steps) {
    assertThat(decide(exclusive, rules, nodes.toArray(TestNode[]::new))).isEqualTo(steps);
  }

  @Test
  void recheckDelay_severalHolds_isEarliestForcedDetach() {
    List<AttachStep> steps =
        decide(
            false,
            RULES,
            TestNode.attached("n1")
                .withUse()
                .state(State.NOT_READY)
                .withoutPodFor(Duration.ofMinutes(4)),
            TestNode.attached("n2")
                .withUse()
                .state(State.GONE)
                .withoutPodFor(Duration.ofMinutes(5)),
            TestNode.attached("n3").withUse());
    assertThat(AttachDecider.recheckDelay(steps)).contains(Duration.ofMinutes(1).plusMillis(1));
    assertThat(AttachDecider.recheckDelay(decide(false, RULES, TestNode.attached("n3").withUse())))
        .isEmpty();
  }
}
