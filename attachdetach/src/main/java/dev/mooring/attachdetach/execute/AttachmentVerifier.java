package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.DriftCheck;
import dev.mooring.attachdetach.decide.DriftCheck.DriftVerdict;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attempt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Compares the recorded attachments with the real ones. Kubernetes treats an unanswered question as
 * "not attached"; here it changes nothing. Thread-safe; blocks.
 */
public record AttachmentVerifier(
    AttachViews views,
    VolumeResolver resolver,
    LiveReader reader,
    AttachBackends backends,
    PodReporter reporter,
    AttachRequeue queues) {
  private ActualStateOfWorld actual() {
    return views.state().actual();
  }

  // verifies all nodes, one at a time, so that memory and latency do not grow with the cluster
  public void verifyAll() throws InterruptedException {
    for (String node : actual().nodes()) {
      boolean isUnmanaged = views.isUnmanaged(node);
      if (!isUnmanaged) {
        actual().volumesOn(node).forEach(id -> markUntraced(id, node));
      }
      List<VolumeId> attached =
          isUnmanaged ? actual().volumesOn(node) : actual().attachedVolumes(node);
      if (!attached.isEmpty()) {
        long startNanos = reporter.nanos();
        verifyNode(node, attached);
        reporter.countVerification(startNanos);
      }
    }
  }

  // without an attachment or a list, only the node's report may show that it has the volume
  private void markUntraced(VolumeId id, String node) {
    boolean lacksAttachment =
        id.csi()
            .filter(csi -> views.caches().attachments().get(csi.attachment(node)).isEmpty())
            .isPresent();
    if (lacksAttachment && actual().setUntraced(id, node)) {
      queues.requeueVolumeAndStatus(new VolumeNode(id, node));
    }
  }

  private void verifyNode(String node, List<VolumeId> attached) throws InterruptedException {
    Map<String, Set<VolumeId>> volumesByPlugin = new TreeMap<>();
    for (VolumeId id : attached) {
      if (id.csi().isPresent()) {
        verify(id, node);
      } else if (actual().attachState(id, node) == AttachState.ATTACHED) {
        volumesByPlugin.computeIfAbsent(id.plugin(), p -> new HashSet<>()).add(id);
      }
    }
    for (Map.Entry<String, Set<VolumeId>> pluginVolumes : volumesByPlugin.entrySet()) {
      verifyPlugin(pluginVolumes.getKey(), node, pluginVolumes.getValue());
    }
  }

  public JobResult verify(VolumeId id, String node) throws InterruptedException {
    Optional<VolumeId.Csi> csi = id.csi();
    long change = actual().change(id, node);
    boolean isUnmanaged = views.isUnmanaged(node);
    AttachState attachState = actual().attachState(id, node);
    if (!isUnmanaged) {
      markUntraced(id, node);
    }
    boolean isDue =
        attachState == AttachState.ATTACHED
            || (attachState == AttachState.UNCERTAIN && isUnmanaged);
    if (csi.isEmpty() || !isDue || !resolver.isAttachable(id)) {
      return JobResult.DONE;
    }
    ObjectKey key = csi.get().attachment(node);
    // an unmanaged node has the volume while its attachment exists
    if (views
        .caches()
        .attachments()
        .get(key)
        .filter(a -> isUnmanaged || a.attached())
        .isPresent()) {
      return JobResult.DONE;
    }
    VolumeNode volumeNode = new VolumeNode(id, node);
    DriftVerdict verdict =
        decide(
            live -> DriftCheck.decide(volumeNode, key, isUnmanaged, views.isInUse(id, node), live));
    applyVerdict(id, node, change, verdict);
    return verdict instanceof DriftVerdict.Unknown(String message)
        ? new JobResult.Unanswered(message)
        : JobResult.DONE;
  }

  private DriftVerdict decide(Function<LiveFacts, Step<DriftVerdict>> decider)
      throws InterruptedException {
    return LiveDecisions.decide(reader, LiveFacts.NONE, decider);
  }

  private void verifyPlugin(String plugin, String node, Set<VolumeId> ids)
      throws InterruptedException {
    Map<VolumeId, Long> changes = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (VolumeId id : ids) {
      changes.put(id, actual().change(id, node));
      names.add(id.name());
    }
    switch (backends.listAttached(plugin, node, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> attachedNames) -> {
        for (Map.Entry<VolumeId, Long> volumeChange : changes.entrySet()) {
          VolumeId id = volumeChange.getKey();
          if (!attachedNames.contains(id.name())
              && actual().attachState(id, node) == AttachState.ATTACHED) {
            String reason = "plugin " + plugin + " reports it detached";
            VolumeNode volumeNode = new VolumeNode(id, node);
            boolean isInUse = views.isInUse(id, node);
            applyVerdict(
                id,
                node,
                volumeChange.getValue(),
                decide(live -> DriftCheck.decideDetached(volumeNode, isInUse, reason, live)));
          }
        }
      }
      case Attempt.Failed<Set<String>>(var failure) ->
          reporter.reportUnverified(node, failure.message());
    }
  }

  private void applyVerdict(VolumeId id, String node, long change, DriftVerdict verdict) {
    switch (verdict) {
      case DriftVerdict.Attached _ -> {}
      case DriftVerdict.Unknown(String message) -> reporter.reportUnverified(node, message);
      case DriftVerdict.Uncertain(String reason) ->
          recordDrift(id, node, change, reason, () -> actual().setUncertain(id, node, null));
      case DriftVerdict.Detached(String reason) ->
          recordDrift(id, node, change, reason, () -> actual().remove(id, node));
    }
  }

  // does nothing if another check or an attach has changed the entry since the read
  private void recordDrift(VolumeId id, String node, long change, String reason, Runnable update) {
    if (actual().updateUnlessChanged(id, node, change, update)) {
      // the kubelet of an unmanaged node detaches by itself: the record was correct
      if (!views.isUnmanaged(node)) {
        reporter.reportDrift(id, node, reason);
      }
      queues.requeueVolumeAndStatus(new VolumeNode(id, node));
    }
  }
}
