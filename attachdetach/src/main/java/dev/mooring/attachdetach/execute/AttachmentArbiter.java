package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.model.Attachment;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attempt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which of several nodes has an exclusive volume that each of them may have. Thread-safe;
 * blocks.
 */
public record AttachmentArbiter(
    ContestQuestions questions,
    StateOfWorld state,
    VolumeAttachments keeper,
    PodReporter reporter,
    AttachRequeue requeue) {
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
      if (state.desired().wants(id, node) && !questions.hasAnyAttachment(id, volume, node)) {
        switch (questions.askFound(id, volume, node)) {
          case ContestVerdict.NotThere() ->
              state.locks().run(id, () -> clearNode(id, volume, node, one.getValue()));
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
        questions.views().isIdle(id, node)
            && state.desired().wants(id, node)
            && state
                .actual()
                .updateUnlessChanged(id, node, change, () -> state.actual().remove(id, node));
    if (left && target != null && questions.cached(volume, node).isPresent()) {
      // the attachment appeared meanwhile, and the actual state ignored it while the entry existed
      state.actual().addFound(id, node, target);
    } else if (left) {
      reporter.reportNotHolder(id, node);
      requeue.volumeAndStatus(new VolumeNode(id, node));
    }
  }

  private JobResult resolveContest(VolumeId id, VolumeId.Csi volume) throws InterruptedException {
    ContestedNodes contested = state.actual().contest(id);
    if (contested == null) {
      return JobResult.DONE;
    }
    List<String> attached =
        contested.nodes().stream().filter(node -> isAttached(volume, node)).toList();
    if (attached.size() != 1 || !state.desired().wants(id, attached.getFirst())) {
      return JobResult.DONE;
    }
    String node = attached.getFirst();
    if (!state.desired().isManaged(node)) {
      return JobResult.DONE; // the kubelet of an unmanaged node attached it
    }
    return switch (questions.askHolder(id, volume, node, contested)) {
      case ContestVerdict.Has() -> protect(id, volume, node, contested);
      case ContestVerdict.NotThere(), ContestVerdict.Unclear(String _) -> JobResult.DONE;
      case ContestVerdict.Unknown(String why) -> new JobResult.Unanswered(why);
    };
  }

  private JobResult protect(VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    Attachment known = questions.cached(volume, node).orElse(null);
    if (known == null || !isUnchanged(id, node, contested)) {
      return JobResult.DONE;
    }
    return switch (keeper.protect(new VolumeNode(id, node), known)) {
      case AttachCallResult.Answered<Attached>(Attempt<Attached> kept) -> {
        if (kept instanceof Attempt.Done<Attached>) {
          state.locks().run(id, () -> recordHolder(id, node, contested));
        }
        yield JobResult.DONE;
      }
      case AttachCallResult.Unanswered<Attached>(String why) -> new JobResult.Unanswered(why);
    };
  }

  private boolean isAttached(VolumeId.Csi volume, String node) {
    return questions.cached(volume, node).filter(Attachment::attached).isPresent();
  }

  // records the node, unless the state has changed since the questions
  private void recordHolder(VolumeId id, String node, ContestedNodes contested) {
    if (isUnchanged(id, node, contested)) {
      state.actual().setAttached(id, node, "", state.actual().target(id, node));
      reporter.reportOnlyHolder(id, node);
      requeue.volumeAndStatus(new VolumeNode(id, node));
    }
  }

  private boolean isUnchanged(VolumeId id, String node, ContestedNodes contested) {
    return contested.equals(state.actual().contest(id))
        && state.desired().wants(id, node)
        && contested.nodes().stream().allMatch(one -> questions.views().isIdle(id, one));
  }
}
