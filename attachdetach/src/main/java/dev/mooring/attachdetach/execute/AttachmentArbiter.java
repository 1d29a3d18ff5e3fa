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
    VolumeAttachments attachments,
    PodReporter reporter,
    AttachRequeue queues) {
  public Set<VolumeId> findContestedVolumes() {
    Set<VolumeId> contestedVolumes = new LinkedHashSet<>();
    for (String node : state.actual().nodes()) {
      state.actual().findContestedVolumes(node).stream()
          .filter(state::isExclusive)
          .forEach(contestedVolumes::add);
    }
    return contestedVolumes;
  }

  public boolean isContested(VolumeId id) {
    return state.isExclusive(id)
        && (state.actual().findContest(id) != null
            || !state.actual().findAttachmentOnlyNodes(id).isEmpty());
  }

  public JobResult resolve(VolumeId id) throws InterruptedException {
    Optional<VolumeId.Csi> csi = id.csi();
    if (csi.isEmpty() || !state.isExclusive(id)) {
      return JobResult.DONE;
    }
    JobResult clearResult = clearAttachmentOnlyNodes(id, csi.get());
    JobResult contestResult = resolveContest(id, csi.get());
    return contestResult instanceof JobResult.Unanswered ? contestResult : clearResult;
  }

  // clears nodes that were known only from an attachment, and whose attachment is gone
  private JobResult clearAttachmentOnlyNodes(VolumeId id, VolumeId.Csi csi)
      throws InterruptedException {
    JobResult result = JobResult.DONE;
    for (Map.Entry<String, Long> nodeChange :
        state.actual().findAttachmentOnlyNodes(id).entrySet()) {
      String node = nodeChange.getKey();
      if (state.desired().isNeeded(id, node) && !questions.hasAnyAttachment(id, csi, node)) {
        switch (questions.askAttachmentOnlyNode(id, csi, node)) {
          case ContestVerdict.LacksVolume() ->
              state.locks().run(id, () -> clearNode(id, csi, node, nodeChange.getValue()));
          case ContestVerdict.Unknown(String message) -> result = new JobResult.Unanswered(message);
          case ContestVerdict.HasVolume(), ContestVerdict.Unclear(String _) -> {}
        }
      }
    }
    return result;
  }

  private void clearNode(VolumeId id, VolumeId.Csi csi, String node, long change) {
    AttachTarget target = state.actual().target(id, node);
    boolean isRemoved =
        questions.views().isIdle(id, node)
            && state.desired().isNeeded(id, node)
            && state
                .actual()
                .updateUnlessChanged(id, node, change, () -> state.actual().remove(id, node));
    if (isRemoved && target != null && questions.findCached(csi, node).isPresent()) {
      // the attachment appeared meanwhile, and the actual state ignored it while the entry existed
      state.actual().addFromAttachment(id, node, target);
    } else if (isRemoved) {
      reporter.reportNotHolder(id, node);
      queues.requeueVolumeAndStatus(new VolumeNode(id, node));
    }
  }

  private JobResult resolveContest(VolumeId id, VolumeId.Csi csi) throws InterruptedException {
    ContestedNodes contest = state.actual().findContest(id);
    if (contest == null) {
      return JobResult.DONE;
    }
    List<String> attachedNodes =
        contest.nodes().stream().filter(node -> isAttached(csi, node)).toList();
    if (attachedNodes.size() != 1 || !state.desired().isNeeded(id, attachedNodes.getFirst())) {
      return JobResult.DONE;
    }
    String node = attachedNodes.getFirst();
    if (!state.desired().isManaged(node)) {
      return JobResult.DONE; // the kubelet of an unmanaged node attached it
    }
    return switch (questions.askHolder(id, csi, node, contest)) {
      case ContestVerdict.HasVolume() -> protectHolder(id, csi, node, contest);
      case ContestVerdict.LacksVolume(), ContestVerdict.Unclear(String _) -> JobResult.DONE;
      case ContestVerdict.Unknown(String message) -> new JobResult.Unanswered(message);
    };
  }

  private JobResult protectHolder(
      VolumeId id, VolumeId.Csi csi, String node, ContestedNodes contest)
      throws InterruptedException {
    Attachment attachment = questions.findCached(csi, node).orElse(null);
    if (attachment == null || !isUnchanged(id, node, contest)) {
      return JobResult.DONE;
    }
    return switch (attachments.protect(new VolumeNode(id, node), attachment)) {
      case AttachCallResult.Answered<Attached>(Attempt<Attached> attempt) -> {
        if (attempt instanceof Attempt.Done<Attached>) {
          state.locks().run(id, () -> recordHolder(id, node, contest));
        }
        yield JobResult.DONE;
      }
      case AttachCallResult.Unanswered<Attached>(String message) ->
          new JobResult.Unanswered(message);
    };
  }

  private boolean isAttached(VolumeId.Csi csi, String node) {
    return questions.findCached(csi, node).filter(Attachment::attached).isPresent();
  }

  // records the node, unless the state has changed since the questions
  private void recordHolder(VolumeId id, String node, ContestedNodes contest) {
    if (isUnchanged(id, node, contest)) {
      state.actual().setAttached(id, node, "", state.actual().target(id, node));
      reporter.reportOnlyHolder(id, node);
      queues.requeueVolumeAndStatus(new VolumeNode(id, node));
    }
  }

  private boolean isUnchanged(VolumeId id, String node, ContestedNodes contest) {
    return contest.equals(state.actual().findContest(id))
        && state.desired().isNeeded(id, node)
        && contest.nodes().stream()
            .allMatch(contestedNode -> questions.views().isIdle(id, contestedNode));
  }
}
