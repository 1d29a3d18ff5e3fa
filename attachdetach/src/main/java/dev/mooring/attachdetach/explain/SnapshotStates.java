package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachDecider;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.explain.AttachmentView.DriverState;
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
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The desired and the actual state of world for one view of the cluster, with the attachments of
 * their volumes. Not thread-safe.
 */
public final class SnapshotStates {
  private final ClusterView clusterView;
  private final DetachRules rules = new DetachRules(true, false);
  private final VolumeResolver resolver;
  private final AttachViews views;
  private final DesiredStateOfWorld desired;
  private final ActualStateOfWorld actual;
  private final Map<VolumeNode, Attachment> attachments;
  private final Set<String> driversOnNodes = new HashSet<>();

  public SnapshotStates(
      ClusterView clusterView,
      VolumeResolver resolver,
      AttachViews views,
      Map<VolumeNode, Attachment> attachments) {
    this.clusterView = clusterView;
    this.resolver = resolver;
    this.views = views;
    this.desired = views.state().desired();
    this.actual = views.state().actual();
    this.attachments = attachments;
    for (CsiNode node : clusterView.informer(Kind.CSI_NODE).snapshot().objects()) {
      node.drivers().forEach(driver -> driversOnNodes.add(driver.name()));
    }
  }

  /** Returns whether no Node has that name. False for "", and while Nodes cannot be read. */
  boolean isNodeAbsent(String node) {
    return !node.isEmpty()
        && clusterView.readError(Kind.NODE).isEmpty()
        && find(Kind.NODE, node).isEmpty();
  }

  private <T extends Resource> Optional<T> find(Kind<T> kind, String name) {
    return clusterView.informer(kind).get(ObjectKey.cluster(name));
  }

  List<AttachTarget> targets(Pod pod) {
    return resolver.resolve(pod).targets();
  }

  List<VolumeId> volumesOn(String node) {
    return actual.volumesOn(node);
  }

  String title(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(VolumeUse::target)
        .findFirst()
        .or(() -> Optional.ofNullable(actual.target(id, node)))
        .map(AttachTarget::title)
        .orElseGet(() -> id.csi().map(VolumeId.Csi::handle).orElse(id.name()));
  }

  Optional<VolumeId> findVolumeId(Attachment attachment) {
    return Optional.ofNullable(resolver.target(attachment)).map(AttachTarget::id);
  }

  Optional<AttachStep> findStep(VolumeId id, String node) {
    AttachView view = views.isExclusive(id) ? views.createView(id) : views.createView(id, node);
    return AttachDecider.decide(view, rules).stream()
        .filter(step -> step.node().equals(node))
        .findFirst();
  }

  /**
   * Returns whether the controller would detach the volume, but its own attachment does not exist:
   * another client attached it.
   */
  boolean isForeign(VolumeId id, String node) {
    return findAttachment(id, node).filter(attachment -> !id.isNamedByUs(attachment)).isPresent();
  }

  Optional<Attachment> findAttachment(VolumeId id, String node) {
    return Optional.ofNullable(attachments.get(new VolumeNode(id, node)));
  }

  String describeUsers(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(use -> "pod " + use.pod().pod())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the pods on the node that name the claim that was bound to the volume. A running
   * controller remembers that use; one that starts now does not.
   */
  String describeRemainingPods(VolumeId id, String node) {
    if (!desired.uses(id, node).isEmpty()) {
      return "";
    }
    ClaimRef ref = find(Kind.VOLUME, title(id, node)).map(Volume::claimRef).orElse(null);
    return ref == null
        ? ""
        : StreamSupport.stream(
                clusterView
                    .informer(Kind.POD)
                    .findByIndex(IndexSet.PODS_BY_CLAIM, ref.claim())
                    .spliterator(),
                false)
            .filter(pod -> pod.nodeName().equals(node) && !pod.isTerminated())
            .map(pod -> "pod " + pod.key())
            .sorted()
            .collect(Collectors.joining(", "));
  }

  int countVolumes(String driver, String node) {
    return (int)
        actual.volumesOn(node).stream()
            .filter(id -> id.csi().filter(csi -> csi.driver().equals(driver)).isPresent())
            .count();
  }

  // Returns how many of the volumes no pod on the node uses.
  int countUnneeded(Set<VolumeId> volumes, String node) {
    return (int) volumes.stream().filter(id -> !desired.isNeeded(id, node)).count();
  }

  List<CsiNode.Driver> driversOf(String node) {
    return find(Kind.CSI_NODE, node).map(CsiNode::drivers).orElse(List.of());
  }

  DriverState findDriverState(String name, String node) {
    Optional<CsiDriver> csiDriver = find(Kind.CSI_DRIVER, name);
    if (csiDriver.isPresent() && !csiDriver.get().attachRequired()) {
      return DriverState.ATTACHES_NOTHING;
    }
    if (clusterView.readError(Kind.CSI_NODE).isPresent()
        || driversOf(node).stream().anyMatch(driver -> driver.name().equals(name))) {
      return DriverState.PRESENT;
    }
    boolean isKnown =
        csiDriver.isPresent()
            || clusterView.readError(Kind.CSI_DRIVER).isPresent()
            || driversOnNodes.contains(name);
    return isKnown ? DriverState.NOT_ON_NODE : DriverState.ABSENT;
  }

  List<AttachStep.Blocked> findWaitingNodes(VolumeId id, String node) {
    List<AttachStep.Blocked> waitingNodes = new ArrayList<>();
    if (!views.isExclusive(id)) {
      return waitingNodes;
    }
    for (AttachStep step : AttachDecider.decide(views.createView(id), rules)) {
      if (step instanceof AttachStep.Blocked blocked
          && blocked.holders().stream().anyMatch(holder -> holder.node().equals(node))) {
        waitingNodes.add(blocked);
      }
    }
    return waitingNodes;
  }
}
