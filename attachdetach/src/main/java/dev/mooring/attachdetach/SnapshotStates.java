package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.AttachmentView.DriverState;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.observe.AttachmentRecovery;
import dev.mooring.attachdetach.observe.DesiredStatePopulator;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.IndexSet;
import dev.mooring.model.Attachment;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The desired and the actual state of world for one view of the cluster. The controller's own
 * populator and recovery fill them once. Not thread-safe.
 */
final class SnapshotStates {
  private final ClusterView sight;
  private final DetachRules rules = new DetachRules(true, DetachRules.SIX_MINUTES);
  private final VolumeResolver resolver;
  private final DesiredStateOfWorld desired = new DesiredStateOfWorld();
  private final ActualStateOfWorld actual = new ActualStateOfWorld();
  private final AttachViews views;
  private final Map<VolumeNode, Attachment> attachments = new HashMap<>();
  private final Set<String> driversOnNodes = new HashSet<>();

  SnapshotStates(ClusterView sight, Time time) {
    this.sight = sight;
    this.resolver =
        new VolumeResolver(
            sight.informer(Kind.CLAIM),
            sight.informer(Kind.VOLUME),
            sight.informer(Kind.CSI_DRIVER),
            sight.plugins());
    recover();
    populate();
    recoverInline();
    for (CsiNode node : sight.informer(Kind.CSI_NODE).snapshot().all()) {
      node.drivers().forEach(driver -> driversOnNodes.add(driver.name()));
    }
    this.views =
        new AttachViews(
            desired,
            actual,
            sight.informer(Kind.NODE),
            sight.informer(Kind.POD),
            new AttachViews.OperationFacts(
                (id, node) -> Running.NOTHING, (id, node) -> 0, (id, node) -> false),
            time);
  }

  private void recover() {
    AttachmentRecovery recovery =
        new AttachmentRecovery(
            new AttachmentRecovery.RecoveryCaches(
                sight.informer(Kind.NODE),
                sight.informer(Kind.ATTACHMENT),
                sight.informer(Kind.VOLUME),
                sight.informer(Kind.POD)),
            resolver,
            actual,
            one -> {});
    recovery.recover();
    for (Attachment attachment : sight.informer(Kind.ATTACHMENT).snapshot().all()) {
      AttachTarget target = recovery.targetOf(attachment);
      if (target != null) {
        attachments.merge(
            new VolumeNode(target.id(), attachment.nodeName()),
            attachment,
            (one, other) -> AttachmentRecovery.isOurs(one, target.id()) ? one : other);
      }
    }
  }

  private void populate() {
    DesiredStatePopulator populator =
        new DesiredStatePopulator(
            new DesiredStatePopulator.PopulatorCaches(
                sight.informer(Kind.POD), sight.informer(Kind.VOLUME), sight.informer(Kind.NODE)),
            resolver,
            desired,
            actual,
            new DesiredStatePopulator.RequeueCallbacks(one -> {}, node -> {}, node -> {}));
    for (Node node : sight.informer(Kind.NODE).snapshot().all()) {
      populator.apply(new DesiredStatePopulator.Trigger.OfNode(node.meta().name()));
    }
    for (Pod pod : sight.informer(Kind.POD).snapshot().all()) {
      if (isAbsent(pod.nodeName())) {
        populator.apply(new DesiredStatePopulator.Trigger.OfPod(pod.key()));
      }
    }
  }

  // an attached inline volume is certainly attached while a pod uses it
  private void recoverInline() {
    for (Pod pod : sight.informer(Kind.POD).snapshot().all()) {
      if (pod.inline().isEmpty() || pod.nodeName().isEmpty()) {
        continue;
      }
      for (AttachTarget target : resolver.resolve(pod).targets()) {
        target
            .id()
            .csi()
            .flatMap(csi -> sight.informer(Kind.ATTACHMENT).get(csi.attachment(pod.nodeName())))
            .filter(Attachment::attached)
            .ifPresent(one -> actual.setAttached(target.id(), pod.nodeName(), "", target));
      }
    }
  }

  /** Returns whether no Node has that name. False for "", and while Nodes cannot be read. */
  boolean isAbsent(String node) {
    return !node.isEmpty() && sight.unseen(Kind.NODE).isEmpty() && find(Kind.NODE, node).isEmpty();
  }

  private <T extends Resource> Optional<T> find(Kind<T> kind, String name) {
    return sight.informer(kind).get(ObjectKey.cluster(name));
  }

  List<AttachTarget> targets(Pod pod) {
    return resolver.resolve(pod).targets();
  }

  List<VolumeId> volumesOn(String node) {
    return actual.on(node);
  }

  String title(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(VolumeUse::target)
        .findFirst()
        .or(() -> Optional.ofNullable(actual.target(id, node)))
        .map(AttachTarget::title)
        .orElseGet(() -> id.csi().map(VolumeId.Csi::handle).orElse(id.name()));
  }

  Optional<VolumeId> idOf(Attachment attachment) {
    return find(Kind.VOLUME, attachment.volumeName())
        .flatMap(volume -> Optional.ofNullable(resolver.target(volume)))
        .map(AttachTarget::id);
  }

  Optional<AttachStep> step(VolumeId id, String node) {
    AttachView view = views.isExclusive(id) ? views.of(id) : views.of(id, node);
    return AttachDecider.decide(view, rules).stream()
        .filter(step -> step.node().equals(node))
        .findFirst();
  }

  /**
   * Returns whether the controller would detach the volume, but its own attachment does not exist:
   * another client attached it.
   */
  boolean isByOthers(VolumeId id, String node) {
    return attachment(id, node).filter(there -> !AttachmentRecovery.isOurs(there, id)).isPresent();
  }

  Optional<Attachment> attachment(VolumeId id, String node) {
    return Optional.ofNullable(attachments.get(new VolumeNode(id, node)));
  }

  String users(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(use -> "pod " + use.pod().pod())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the pods on the node that name the claim that was bound to the volume. A running
   * controller remembers that use; one that starts now does not.
   */
  String remainingPods(VolumeId id, String node) {
    if (!desired.uses(id, node).isEmpty()) {
      return "";
    }
    ClaimRef ref = find(Kind.VOLUME, title(id, node)).map(Volume::claimRef).orElse(null);
    return ref == null
        ? ""
        : StreamSupport.stream(
                sight
                    .informer(Kind.POD)
                    .findByIndex(IndexSet.PODS_BY_CLAIM, ref.claim())
                    .spliterator(),
                false)
            .filter(pod -> pod.nodeName().equals(node) && !pod.isTerminated())
            .map(pod -> "pod " + pod.key())
            .sorted()
            .collect(Collectors.joining(", "));
  }

  int countOf(String driver, String node) {
    return (int)
        actual.on(node).stream()
            .filter(id -> id.csi().filter(csi -> csi.driver().equals(driver)).isPresent())
            .count();
  }

  List<CsiNode.Driver> driversOf(String node) {
    return find(Kind.CSI_NODE, node).map(CsiNode::drivers).orElse(List.of());
  }

  DriverState driver(String name, String node) {
    Optional<CsiDriver> object = find(Kind.CSI_DRIVER, name);
    if (object.isPresent() && !object.get().attachRequired()) {
      return DriverState.ATTACHES_NOTHING;
    }
    if (sight.unseen(Kind.CSI_NODE).isPresent()
        || driversOf(node).stream().anyMatch(driver -> driver.name().equals(name))) {
      return DriverState.PRESENT;
    }
    boolean known =
        object.isPresent()
            || sight.unseen(Kind.CSI_DRIVER).isPresent()
            || driversOnNodes.contains(name);
    return known ? DriverState.NOT_ON_NODE : DriverState.ABSENT;
  }

  List<AttachStep.Blocked> waitingNodes(VolumeId id, String node) {
    List<AttachStep.Blocked> waiting = new ArrayList<>();
    if (!views.isExclusive(id)) {
      return waiting;
    }
    for (AttachStep step : AttachDecider.decide(views.of(id), rules)) {
      if (step instanceof AttachStep.Blocked blocked
          && blocked.holders().stream().anyMatch(holder -> holder.node().equals(node))) {
        waiting.add(blocked);
      }
    }
    return waiting;
  }
}
