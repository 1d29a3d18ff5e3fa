package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestCheck;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attempt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which of several nodes has an exclusive volume that each of them may have. Thread-safe;
 * blocks.
 */
public record AttachmentArbiter(StateOfWorld state, FactSources sources, ResultActions actions) {
  public record FactSources(
      Informer<Attachment> attachments,
      Function<Attachment, @Nullable VolumeId> volumeOf,
      LiveReader reader,
      VolumeAttachments keeper,
      BiPredicate<VolumeId, String> mounted) {}

  public record ResultActions(
      PodReporter reporter,
      BiPredicate<VolumeId, String> isIdle,
      BiConsumer<VolumeId, Runnable> runExclusively,
      BiConsumer<VolumeId, String> requeue) {}

  public Set<VolumeId> contested() {
    Set<VolumeId> contested = new LinkedHashSet<>();
    for (String node : state.actual().nodes()) {
      state.actual().contestedOn(node).stream().filter(state::isExclusive).forEach(contested::add);
    }
    return contested;
  }

  public boolean isContested(VolumeId id) {
    return state.isExclusive(id)
        && (state.actual().contest(id) != null || !state.actual().found(id).isEmpty());
  }

  public JobResult resolve(VolumeId id) throws InterruptedException {
    Optional<VolumeId.Csi> volume = id.csi();
    if (volume.isEmpty() || !state.isExclusive(id)) {
      return JobResult.DONE;
    }
    JobResult left = clearFound(id, volume.get());
    JobResult ended = resolveContest(id, volume.get());
    return ended instanceof JobResult.Unanswered ? ended : left;
  }

  // clears nodes that were known only from an attachment, and whose attachment is gone
  private JobResult clearFound(VolumeId id, VolumeId.Csi volume) throws InterruptedException {
    JobResult completion = JobResult.DONE;
    for (Map.Entry<String, Long> one : state.actual().found(id).entrySet()) {
      String node = one.getKey();
      if (state.desired().wants(id, node) && !hasAnyAttachment(id, volume, node)) {
        switch (LiveDecisions.decide(
            sources.reader(),
            LiveFacts.NONE,
            live -> ContestCheck.decideFound(id, other(id, volume, node), live))) {
          case ContestVerdict.NotThere() ->
              actions
                  .runExclusively()
                  .accept(id, () -> clearNode(id, volume, node, one.getValue()));
          case ContestVerdict.Unknown(String why) -> completion = new JobResult.Unanswered(why);
          case ContestVerdict.Has(), ContestVerdict.Unclear(String _) -> {}
        }
      }
    }
    return completion;
  }

  private void clearNode(VolumeId id, VolumeId.Csi volume, String node, long change) {
    AttachTarget target = state.actual().target(id, node);
    boolean left =
        actions.isIdle().test(id, node)
            && state.desired().wants(id, node)
            && state.actual().removeUnlessChanged(id, node, change);
    if (left && target != null && isThere(volume.attachment(node))) {
      // the attachment appeared meanwhile, and the actual state ignored it while the entry existed
      state.actual().addFound(id, node, target);
    } else if (left) {
      actions.reporter().reportNotHolder(id, node);
      actions.requeue().accept(id, node);
    }
  }

  private JobResult resolveContest(VolumeId id, VolumeId.Csi volume) throws InterruptedException {
    ContestedNodes contested = state.actual().contest(id);
    if (contested == null) {
      return JobResult.DONE;
    }
    List<String> attached =
        contested.nodes().stream().filter(node -> isAttached(volume.attachment(node))).toList();
    if (attached.size() != 1 || !state.desired().wants(id, attached.getFirst())) {
      return JobResult.DONE;
    }
    String node = attached.getFirst();
    if (!state.desired().isManaged(node)) {
      return JobResult.DONE; // the kubelet of an unmanaged node attached it
    }
    return switch (ask(id, volume, node, contested)) {
      case ContestVerdict.Has() -> protect(id, volume, node, contested);
      case ContestVerdict.NotThere(), ContestVerdict.Unclear(String _) -> JobResult.DONE;
      case ContestVerdict.Unknown(String why) -> new JobResult.Unanswered(why);
    };
  }

  private JobResult protect(VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    Attachment known = sources.attachments().get(volume.attachment(node)).orElse(null);
    if (known == null || !isUnchanged(id, node, contested)) {
      return JobResult.DONE;
    }
    return switch (sources.keeper().protect(new VolumeNode(id, node), known)) {
      case AttachCallResult.Answered<Attached>(Attempt<Attached> kept) -> {
        if (kept instanceof Attempt.Done<Attached>) {
          actions.runExclusively().accept(id, () -> recordHolder(id, node, contested));
        }
        yield JobResult.DONE;
      }
      case AttachCallResult.Unanswered<Attached>(String why) -> new JobResult.Unanswered(why);
    };
  }

  private boolean isThere(ObjectKey attachment) {
    return sources.attachments().get(attachment).isPresent();
  }

  private boolean isAttached(ObjectKey attachment) {
    return sources.attachments().get(attachment).filter(Attachment::attached).isPresent();
  }

  private ContestVerdict ask(
      VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    return LiveDecisions.decide(
        sources.reader(),
        LiveFacts.NONE,
        live -> ContestCheck.decide(id, facts(id, volume, node, contested), live));
  }

  private ContestCheck.ContestFacts facts(
      VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested) {
    List<ContestCheck.OtherNode> others =
        contested.nodes().stream()
            .filter(other -> !other.equals(node))
            .map(other -> other(id, volume, other))
            .toList();
    return new ContestCheck.ContestFacts(
        volume.attachment(node), others, isAttachedByHand(id, volume, node));
  }

  private ContestCheck.OtherNode other(VolumeId id, VolumeId.Csi volume, String node) {
    return new ContestCheck.OtherNode(
        node, volume.attachment(node), sources.mounted().test(id, node));
  }

  private boolean isAttachedByHand(VolumeId id, VolumeId.Csi volume, String node) {
    return hasAttachment(id, volume, one -> one.attached() && !one.nodeName().equals(node));
  }

  private boolean hasAnyAttachment(VolumeId id, VolumeId.Csi volume, String node) {
    return hasAttachment(id, volume, one -> one.nodeName().equals(node));
  }

  // Attachments of other clients may have any name; the cache contains all of them. An attachment
  // of the same driver with an unknown volume may be of this volume.
  private boolean hasAttachment(VolumeId id, VolumeId.Csi volume, Predicate<Attachment> condition) {
    for (Attachment one : sources.attachments().snapshot().all()) {
      if (one.attacher().equals(volume.driver()) && condition.test(one)) {
        VolumeId of = sources.volumeOf().apply(one);
        if (of == null || of.equals(id)) {
          return true;
        }
      }
    }
    return false;
  }

  // records the node, unless the state has changed since the questions
  private void recordHolder(VolumeId id, String node, ContestedNodes contested) {
    if (isUnchanged(id, node, contested)) {
      state.actual().setAttached(id, node, "", state.actual().target(id, node));
      actions.reporter().reportOnlyHolder(id, node);
      actions.requeue().accept(id, node);
    }
  }

  private boolean isUnchanged(VolumeId id, String node, ContestedNodes contested) {
    return contested.equals(state.actual().contest(id))
        && state.desired().wants(id, node)
        && contested.nodes().stream().allMatch(one -> actions.isIdle().test(id, one));
  }
}
