package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.Detachment;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.model.Node;
import dev.mooring.operation.Completion;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One attach or detach from beginning to end. The order within a detach is what keeps data safe:
 * the node's status stops listing the volume, so that its kubelet mounts it no more; then the node
 * is asked, past every cache, whether it has mounted it; then it is detached. Thread-safe; blocks.
 */
public record Jobs(State state, Tools tools) {
  /**
   * What jobs act through.
   *
   * @param backends attaches and detaches
   * @param dangling knows of volumes that nodes have without anybody knowing
   * @param statuses nodes' statuses
   * @param nodes asks nodes
   * @param reporter tells pods
   * @param figures counts
   * @param listed called with a node whose status is to list one more volume
   * @param unanswered called with a volume and its node of which something could not be asked or
   *     written
   * @param time measures
   */
  public record Tools(
      Backends backends,
      DanglingSearch dangling,
      NodeStatuses statuses,
      NodeChecks nodes,
      PodReporter reporter,
      AttachStats stats,
      Consumer<String> listed,
      BiConsumer<VolumeId, String> unanswered,
      Time time) {}

  /**
   * Attaches what the actual world takes for possibly attached already.
   *
   * @param triggers whether nothing was known of it on that node before: then nothing is, if
   *     nothing was done
   * @return how it ended
   */
  public Completion attach(AttachTarget target, String node, boolean triggers)
      throws InterruptedException {
    VolumeId id = target.id();
    long began = tools.time().nanos();
    Asked<Attached> asked = attached(target, node);
    AttachStats.Ended how = new AttachStats.Ended(isDone(asked), target.migrated());
    tools.stats().took(id, "volume_attach", how, tools.time().nanos() - began);
    return switch (asked) {
      case Asked.Answered<Attached>(Attempt.Done<Attached>(Attached where)) -> {
        state.actual().update(new WorldUpdate.Attached(id, node, where.devicePath(), target));
        tools.reporter().attached(target, node);
        tools.listed().accept(node);
        yield Completion.NOTED;
      }
      case Asked.Answered<Attached>(Attempt.Failed<Attached>(Failure why)) -> {
        if (triggers && nothingWasDone(why) && !tools.dangling().hasFound(id, node)) {
          state.actual().update(new WorldUpdate.NotAttached(id, node));
        }
        tools.reporter().failed(target, node, why.message());
        yield new Completion.Failed(why);
      }
      case Asked.Unanswered<Attached>(String why) -> {
        tools.reporter().failed(target, node, why);
        yield new Completion.Unanswered(why);
      }
    };
  }

  private Asked<Attached> attached(AttachTarget target, String node) throws InterruptedException {
    AttachTarget asked = target.withExclusive(state.isExclusive(target.id()));
    Optional<String> objection = tools.dangling().objection(asked, node);
    return objection.isPresent()
        ? new Asked.Answered<>(new Attempt.Failed<>(new Failure.Unreachable(objection.get())))
        : tools.backends().attach(target, node);
  }

  private static boolean isDone(Asked<?> asked) {
    return asked instanceof Asked.Answered<?>(Attempt.Done<?> _);
  }

  private static boolean nothingWasDone(Failure why) {
    return switch (why) {
      case Failure.Rejected _, Failure.Exhausted _, Failure.Unreachable _, Failure.InUse _ -> true;
      case Failure.Uncertain _, Failure.Fault _ -> false;
    };
  }

  /**
   * Detaches.
   *
   * @param permit for the requests to the server; given back when nothing is left but to wait for a
   *     driver
   * @return how it ended; also done is what is not to be done any more
   */
  public Completion detach(VolumeId id, String node, Grounds grounds, DetachLimiter.Permit permit)
      throws InterruptedException {
    Optional<String> objection = tools.backends().objection(id);
    if (objection.isPresent()) {
      tools.reporter().notDetached(id, node, objection.get());
      return Completion.unreachable(objection.get());
    }
    Held before = state.actual().held(id, node);
    boolean listed = isListed(id, node, before);
    return switch (prepared(id, node, grounds, before)) {
      case DetachVerdict.Needed() -> {
        relist(id, node, listed);
        yield Completion.NOTED;
      }
      case DetachVerdict.Detach(String _) ->
          grounds == Grounds.UNTRACED && id.csi().isPresent()
              ? passOver(id, node)
              : detachNow(id, node, permit);
      case DetachVerdict.Stay(String why) -> {
        relist(id, node, listed);
        tools.reporter().stays(id, node, why);
        yield new Completion.Failed(new Failure.InUse(why));
      }
      case DetachVerdict.StillListed _ ->
          notNow(id, node, listed, "the status of node " + node + " goes on listing it");
      case DetachVerdict.Unknown(String why) -> notNow(id, node, listed, why);
      case DetachVerdict.NeedsLive _ -> notNow(id, node, listed, "not everything was asked");
    };
  }

  /** What could not be asked, or written, is tried again soon: the server may be back. */
  private Completion notNow(VolumeId id, String node, boolean listed, String why) {
    relist(id, node, listed);
    tools.reporter().notDetached(id, node, why);
    tools.unanswered().accept(id, node);
    return new Completion.Unanswered(why);
  }

  /** All that comes before the detach; if that breaks it off, what was listed is so afterwards. */
  private DetachVerdict prepared(VolumeId id, String node, Grounds grounds, Held before)
      throws InterruptedException {
    boolean listed = isListed(id, node, before);
    boolean over = false;
    try {
      DetachVerdict asked = unlist(id, node, grounds);
      DetachVerdict settled =
          DetachCheck.unlessListed(asked, grounds, state.actual().isNeverListed(id, node));
      DetachVerdict verdict =
          DetachCheck.unlessWanted(settled, before, state.desired().wants(id, node));
      if (verdict instanceof DetachVerdict.Detach(String evidence)) {
        announce(id, node, grounds, evidence);
      }
      over = true;
      return verdict;
    } finally {
      if (!over) {
        relist(id, node, listed);
      }
    }
  }

  private boolean isListed(VolumeId id, String node, Held before) {
    return before == Held.YES || state.actual().isListed(id, node);
  }

  /** Has the node's status list it no more, and asks whether it may be taken. */
  private DetachVerdict unlist(VolumeId id, String node, Grounds grounds)
      throws InterruptedException {
    state.actual().update(new WorldUpdate.Listed(id, node, false));
    Detachment detachment =
        new Detachment(
            id,
            node,
            grounds,
            state.actual().lastUsers(id, node),
            state.actual().saidBefore(id, node));
    // the write's answer is the node as it was after the write: no need to ask once more
    DetachVerdict verdict = judge(detachment, tools.statuses().flushForGood(node));
    return verdict instanceof DetachVerdict.StillListed(Node now)
        ? judge(detachment, tools.statuses().flush(now))
        : verdict;
  }

  private DetachVerdict judge(Detachment detachment, NodeStatuses.Flushed flushed)
      throws InterruptedException {
    return switch (flushed) {
      case NodeStatuses.Flushed.Failed(String problem) -> DetachCheck.notUnlisted(problem);
      case NodeStatuses.Flushed.Done(var now) -> tools.nodes().mayDetach(detachment, now);
    };
  }

  /** What stays is listed as it was before: through a restart too the node may have it mounted. */
  private void relist(VolumeId id, String node, boolean listed) {
    if (listed) {
      state.actual().update(new WorldUpdate.Listed(id, node, true));
      tools.listed().accept(node);
    }
  }

  private void announce(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (grounds.isForce()) {
      tools.stats().forced(grounds);
      tools.reporter().forced(id, node, evidence);
      tools.nodes().record(id, node, grounds, evidence);
    }
  }

  /** There is no VolumeAttachment that could be deleted. */
  private Completion passOver(VolumeId id, String node) {
    state.actual().update(new WorldUpdate.NotAttached(id, node));
    tools.reporter().detached(id, node);
    return Completion.NOTED;
  }

  private Completion detachNow(VolumeId id, String node, DetachLimiter.Permit permit)
      throws InterruptedException {
    long began = tools.time().nanos();
    state.actual().update(new WorldUpdate.Uncertain(id, node, null));
    Asked<Detached> asked = tools.backends().detach(id, node, permit::end);
    AttachTarget target = state.actual().target(id, node);
    boolean migrated = target != null && target.migrated();
    AttachStats.Ended how = new AttachStats.Ended(isDone(asked), migrated);
    tools.stats().took(id, "volume_detach", how, tools.time().nanos() - began);
    return switch (asked) {
      case Asked.Answered<Detached>(Attempt.Done<Detached> _) -> {
        state.actual().update(new WorldUpdate.NotAttached(id, node));
        tools.reporter().detached(id, node);
        yield Completion.NOTED;
      }
      case Asked.Answered<Detached>(Attempt.Failed<Detached>(Failure why)) -> {
        tools.reporter().notDetached(id, node, why.message());
        yield new Completion.Failed(why);
      }
      case Asked.Unanswered<Detached>(String why) -> {
        tools.reporter().notDetached(id, node, why);
        yield new Completion.Unanswered(why);
      }
    };
  }
}
