package dev.mooring.attachdetach.decide;

import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
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
  record N(
      String name,
      boolean wanted,
      Held held,
      Running running,
      boolean inUse,
      State state,
      boolean out,
      boolean dead,
      @Nullable Duration unwanted,
      int failures,
      Trace trace) {
    N(
        String name,
        boolean wanted,
        Held held,
        Running running,
        boolean inUse,
        State state,
        boolean out,
        boolean dead,
        @Nullable Duration unwanted) {
      this(name, wanted, held, running, inUse, state, out, dead, unwanted, 0, Trace.USUAL);
    }

    N failed(int times) {
      return new N(name, wanted, held, running, inUse, state, out, dead, unwanted, times, trace);
    }

    N trace(Trace now) {
      return new N(name, wanted, held, running, inUse, state, out, dead, unwanted, failures, now);
    }

    static N wants(String name) {
      return new N(name, true, Held.NO, Running.NOTHING, false, State.READY, false, false, null);
    }

    static N has(String name) {
      return new N(name, false, Held.YES, Running.NOTHING, false, State.READY, false, false, null);
    }

    N needed() {
      return new N(name, true, held, running, inUse, state, out, dead, unwanted);
    }

    N held(Held now) {
      return new N(name, wanted, now, running, inUse, state, out, dead, unwanted);
    }

    N running(Running now) {
      return new N(name, wanted, held, now, inUse, state, out, dead, unwanted);
    }

    N mounted() {
      return new N(name, wanted, held, running, true, state, out, dead, unwanted);
    }

    N state(State now) {
      return new N(name, wanted, held, running, inUse, now, out, dead, unwanted);
    }

    N tainted() {
      return new N(name, wanted, held, running, inUse, state, true, dead, unwanted);
    }

    N provenDead() {
      return new N(name, wanted, held, running, inUse, state, out, true, unwanted);
    }

    N unwantedFor(Duration span) {
      return new N(name, wanted, held, running, inUse, state, out, dead, span);
    }

    NodeView view() {
      return new NodeView(
          name, wanted, held, running, inUse, trace, state, out, dead, unwanted, failures);
    }
  }

  static List<AttachStep> decide(boolean exclusive, DetachRules rules, N... nodes) {
    return AttachDecider.decide(
        new AttachView(ID, exclusive, Stream.of(nodes).map(N::view).toList()), rules);
  }
}
