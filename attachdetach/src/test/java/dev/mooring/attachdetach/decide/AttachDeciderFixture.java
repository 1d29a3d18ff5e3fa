package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.NodeView.State;
import dev.mooring.attachdetach.decide.NodeView.Trace;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builders for nodes that have or want a volume, and for decisions. */
abstract class AttachDeciderFixture {
  static final DetachRules RULES = new DetachRules(true, false);
  static final VolumeId ID = VolumeId.csi("d", "v");

  /** Node with default properties that each method changes. */
  record TestNode(
      String name,
      boolean isNeeded,
      AttachState attachState,
      Operation operation,
      boolean inUse,
      State state,
      boolean isOutOfService,
      boolean isDead,
      @Nullable Duration unneededFor,
      int failures,
      Trace trace) {
    TestNode(
        String name,
        boolean isNeeded,
        AttachState attachState,
        Operation operation,
        boolean inUse,
        State state,
        boolean isOutOfService,
        boolean isDead,
        @Nullable Duration unneededFor) {
      this(
          name,
          isNeeded,
          attachState,
          operation,
          inUse,
          state,
          isOutOfService,
          isDead,
          unneededFor,
          0,
          Trace.USUAL);
    }

    TestNode withFailures(int times) {
      return new TestNode(
          name,
          isNeeded,
          attachState,
          operation,
          inUse,
          state,
          isOutOfService,
          isDead,
          unneededFor,
          times,
          trace);
    }

    TestNode trace(Trace now) {
      return new TestNode(
          name,
          isNeeded,
          attachState,
          operation,
          inUse,
          state,
          isOutOfService,
          isDead,
          unneededFor,
          failures,
          now);
    }

    static TestNode needing(String name) {
      return new TestNode(
          name, true, AttachState.DETACHED, Operation.NONE, false, State.READY, false, false, null);
    }

    static TestNode attached(String name) {
      return new TestNode(
          name,
          false,
          AttachState.ATTACHED,
          Operation.NONE,
          false,
          State.READY,
          false,
          false,
          null);
    }

    TestNode withPod() {
      return new TestNode(
          name, true, attachState, operation, inUse, state, isOutOfService, isDead, unneededFor);
    }

    TestNode withAttachState(AttachState now) {
      return new TestNode(
          name, isNeeded, now, operation, inUse, state, isOutOfService, isDead, unneededFor);
    }

    TestNode withOperation(Operation now) {
      return new TestNode(
          name, isNeeded, attachState, now, inUse, state, isOutOfService, isDead, unneededFor);
    }

    TestNode withUse() {
      return new TestNode(
          name, isNeeded, attachState, operation, true, state, isOutOfService, isDead, unneededFor);
    }

    TestNode state(State now) {
      return new TestNode(
          name, isNeeded, attachState, operation, inUse, now, isOutOfService, isDead, unneededFor);
    }

    TestNode withTaint() {
      return new TestNode(
          name, isNeeded, attachState, operation, inUse, state, true, isDead, unneededFor);
    }

    TestNode withProofOfDeath() {
      return new TestNode(
          name, isNeeded, attachState, operation, inUse, state, isOutOfService, true, unneededFor);
    }

    TestNode withoutPodFor(Duration span) {
      return new TestNode(
          name, isNeeded, attachState, operation, inUse, state, isOutOfService, isDead, span);
    }

    NodeView view() {
      return new NodeView(
          name,
          isNeeded,
          attachState,
          operation,
          inUse,
          trace,
          state,
          isOutOfService,
          isDead,
          unneededFor,
          failures);
    }
  }

  static List<AttachStep> decide(boolean exclusive, DetachRules rules, TestNode... nodes) {
    return AttachDecider.decide(
        new AttachView(ID, exclusive, Stream.of(nodes).map(TestNode::view).toList()), rules);
  }
}
