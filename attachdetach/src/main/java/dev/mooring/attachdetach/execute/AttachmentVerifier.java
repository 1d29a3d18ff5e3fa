package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.DriftCheck;
import dev.mooring.attachdetach.decide.DriftCheck.DriftVerdict;
import dev.mooring.attachdetach.decide.NodeView.Held;
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
 * Compares the recorded attachments with the real ones (spec/attachdetach.md 10). Kubernetes treats
 * an unanswered question as "not attached"; here it changes nothing. Thread-safe; blocks.
 */
public record AttachmentVerifier(
    AttachViews views,
    VolumeResolver resolver,
    LiveReader reader,
    AttachBackends backends,
    PodReporter reporter,
    AttachRequeue requeue) {
  private ActualStateOfWorld actual() {
    return views.state().actual();
  }

  // verifies all nodes, one at a time, so that memory and latency do not grow with the cluster
  public void verifyAll() throws InterruptedException {
    for (String node : actual().nodes()) {
      boolean unmanaged = views.isUnmanaged(node);
      if (!unmanaged) {
        actual().on(node).forEach(id -> markUntraced(id, node));
      }
      List<VolumeId> attached = unmanaged ? actual().on(node) : actual().attachedTo(node);
      if (!attached.isEmpty()) {
        long began = reporter.nanos();
        verify(node, attached);
        reporter.countVerification(began);
      }
    }
  }

  // without an attachment or a list, only the node's report may show that it has the volume
  private void markUntraced(VolumeId id, String node) {
    boolean hasNone =
        id.csi()
            .filter(csi -> views.caches().attachments().get(csi.attachment(node)).isEmpty())
            .isPresent();
    if (hasNone && actual().setUntraced(id, node)) {
      requeue.volumeAndStatus(new VolumeNode(id, node));
    }
  }

  private void verify(String node, List<VolumeId> attached) throws InterruptedException {
    Map<String, Set<VolumeId>> byPlugin = new TreeMap<>();
    for (VolumeId id : attached) {
      if (id.csi().isPresent()) {
        verify(id, node);
      } else if (actual().held(id, node) == Held.YES) {
        byPlugin.computeIfAbsent(id.plugin(), p -> new HashSet<>()).add(id);
      }
    }
    for (Map.Entry<String, Set<VolumeId>> one : byPlugin.entrySet()) {
      verify(one.getKey(), node, one.getValue());
    }
  }

  public JobResult verify(VolumeId id, String node) throws InterruptedException {
    Optional<VolumeId.Csi> volume = id.csi();
    long change = actual().change(id, node);
    boolean unmanaged = views.isUnmanaged(node);
    Held held = actual().held(id, node);
    if (!unmanaged) {
      markUntraced(id, node);
    }
    boolean isDue = held == Held.YES || (held == Held.PERHAPS && unmanaged);
    if (volume.isEmpty() || !isDue || !resolver.isAttachable(id)) {
      return JobResult.DONE;
    }
    ObjectKey key = volume.get().attachment(node);
    // an unmanaged node has the volume while its attachment exists
    if (views.caches().attachments().get(key).filter(a -> unmanaged || a.attached()).isPresent()) {
      return JobResult.DONE;
    }
    VolumeNode at = new VolumeNode(id, node);
    DriftVerdict verdict =
        decide(live -> DriftCheck.decide(at, key, unmanaged, views.isInUse(id, node), live));
    apply(id, node, change, verdict);
    return verdict instanceof DriftVerdict.Unknown(String why)
        ? new JobResult.Unanswered(why)
        : JobResult.DONE;
  }

  private DriftVerdict decide(Function<LiveFacts, Step<DriftVerdict>> decider)
      throws InterruptedException {
    return LiveDecisions.decide(reader, LiveFacts.NONE, decider);
  }

  private void verify(String plugin, String node, Set<VolumeId> ids) throws InterruptedException {
    Map<VolumeId, Long> changes = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (VolumeId id : ids) {
      changes.put(id, actual().change(id, node));
      names.add(id.name());
    }
    switch (backends.attached(plugin, node, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> there) -> {
        for (Map.Entry<VolumeId, Long> one : changes.entrySet()) {
          VolumeId id = one.getKey();
          if (!there.contains(id.name()) && actual().held(id, node) == Held.YES) {
            String why = "plugin " + plugin + " reports it detached";
            VolumeNode at = new VolumeNode(id, node);
            boolean used = views.isInUse(id, node);
            apply(id, node, one.getValue(), decide(live -> DriftCheck.lost(at, used, why, live)));
          }
        }
      }
      case Attempt.Failed<Set<String>>(var why) -> reporter.reportUnverified(node, why.message());
    }
  }

  private void apply(VolumeId id, String node, long change, DriftVerdict verdict) {
    switch (verdict) {
      case DriftVerdict.Attached _ -> {}
      case DriftVerdict.Unknown(String why) -> reporter.reportUnverified(node, why);
      case DriftVerdict.Perhaps(String why) ->
          drifted(id, node, change, why, () -> actual().setUncertain(id, node, null));
      case DriftVerdict.Detached(String why) ->
          drifted(id, node, change, why, () -> actual().remove(id, node));
    }
  }

  // does nothing if another check was faster, or an attach has started since
  private void drifted(VolumeId id, String node, long change, String why, Runnable update) {
    if (actual().updateUnlessChanged(id, node, change, update)) {
      // the kubelet of an unmanaged node detaches, which is no drift
      if (!views.isUnmanaged(node)) {
        reporter.reportDrift(id, node, why);
      }
      requeue.volumeAndStatus(new VolumeNode(id, node));
    }
  }
}
