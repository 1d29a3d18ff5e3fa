package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.protection.decide.UnusedDecider;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Invariants of a {@link AllControllersWorkload} after the faults have ended and nothing changes
 * any longer.
 *
 * <p>Invariant: deleted objects are gone unless they are in use, claims have the capacity that they
 * request, their condition Unused states whether a pod references them, and volumes are attached
 * where pods need them and nowhere else.
 */
final class AllControllersFinalState {
  private final Simulation simulation;
  private final SimServer server;
  private final SimStorage storage;
  private final SimNodes nodes;
  private final Compat compat;

  AllControllersFinalState(Simulation simulation, SimStorage storage, SimNodes nodes) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.compat = simulation.compat();
    this.storage = storage;
    this.nodes = nodes;
  }

  /** Checks these invariants and those of {@link FinalState}. */
  void check() {
    new FinalState(
            server.list(Kind.VOLUME),
            server.list(Kind.CLAIM),
            storage.volumes(),
            item -> simulation.mayLeaveVolume(item.createdBy, item.unacknowledged),
            Set.of())
        .check();
    server.list(Kind.CLAIM).forEach(this::checkClaim);
    server.list(Kind.VOLUME).forEach(this::checkVolume);
    server.list(Kind.POD).forEach(this::checkPod);
    if (!compat.isKubernetes()) {
      checkAttached();
    }
  }

  /** Returns whether a pod uses the claim. With {@code --compat=kcm} a terminated pod also does. */
  private boolean isUsed(Claim claim) {
    return server.list(Kind.POD).stream()
        .anyMatch(pod ->
            !pod.nodeName().isEmpty()
                && (!pod.isTerminated() || compat.isKubernetes())
                && pod.claims().contains(claim.meta().name()));
  }

  /**
   * Invariant: the condition Unused states whether a pod references the claim (KEP-5541).
   * Kubernetes misses pods that go while its controller is down.
   */
  private void checkUnusedCondition(Claim claim) {
    if (compat.isKubernetes()
        || claim.meta().isBeingDeleted()
        || claim.phase() != ClaimPhase.BOUND) {
      return;
    }
    String expected = isReferenced(claim) ? "False" : "True";
    verify(
        claim.status().conditions().stream()
            .anyMatch(c -> c.type().equals(UnusedDecider.TYPE) && c.status().equals(expected)),
        claim + " should have the condition Unused=" + expected);
  }

  private boolean isReferenced(Claim claim) {
    String name = claim.meta().name();
    return server.list(Kind.POD).stream()
        .filter(pod -> !pod.isTerminated() && pod.claims().contains(name))
        .anyMatch(pod ->
            pod.ephemeral().stream().noneMatch(volume -> pod.claimOf(volume).equals(name))
                || claim.meta().controller().equals(pod.meta().uid()));
  }

  private void checkClaim(Claim claim) {
    checkUnusedCondition(claim);
    verify(!claim.meta().isBeingDeleted() || isUsed(claim), claim + " is not gone");
    // kube-controller-manager does not expand volumes of in-tree plugins
    if (!compat.isKubernetes()
        && claim.phase() == ClaimPhase.BOUND
        && !claim.className().isEmpty()) {
      verify(
          claim.status().storage().covers(claim.request())
              || storage.rejectsExpansion(claim.volumeName()),
          claim + " is not expanded");
      SimStorage.StoredVolume item = storage.volumes().get(claim.volumeName());
      verify(
          item != null && item.size >= claim.status().storage().toBytesCeiling(),
          claim + " has less capacity than its status says");
    }
  }

  /** Invariant: without pods no volume is published, and work that waited for a detach is done. */
  void checkWithoutPods() {
    if (!compat.isKubernetes()) {
      verify(
          storage.published().isEmpty(),
          "there are no pods, but published are " + storage.published());
    }
    server.list(Kind.CLAIM).forEach(this::checkClaim);
  }

  private void checkVolume(Volume volume) {
    boolean hasClaim =
        volume.claimRef() != null && server.find(Kind.CLAIM, volume.claimRef().claim()) != null;
    verify(!volume.meta().isBeingDeleted() || hasClaim || isKept(volume), volume + " is not gone");
  }

  // Mooring created the volume, but its request took so long that the object looks like a copy. The
  // controllers keep it with its storage until a person acts.
  private boolean isKept(Volume volume) {
    return volume.phase() == VolumePhase.PENDING
        && volume.meta().hasAnnotation(VolumeOrigin.MADE_AT)
        && !VolumeOrigin.isOriginal(volume)
        && storage.volumes().containsKey(volume.meta().name());
  }

  private void checkPod(Pod pod) {
    verify(!pod.meta().isBeingDeleted(), pod + " does not terminate");
    for (String volume : pod.ephemeral()) {
      Claim claim =
          server.find(Kind.CLAIM, ObjectKey.of(pod.key().namespace(), pod.claimOf(volume)));
      verify(
          pod.isFinished() || claim != null && claim.meta().controller().equals(pod.meta().uid()),
          pod + " has no claim for " + volume);
    }
    Optional<Set<String>> volumes = SimKubelets.volumes(server, pod);
    verify(
        volumes.isEmpty() || pod.isFinished() || !pod.nodeName().isEmpty(),
        pod + " is not scheduled");
  }

  /**
   * Invariant: every node has the volumes of its pods, unless another node has them, and no others.
   */
  private void checkAttached() {
    Set<NodeVolume> neededVolumes = findNeeded();
    Set<NodeVolume> published = storage.published();
    verify(
        neededVolumes.containsAll(published),
        "published " + published + ", wanted " + neededVolumes);
    verify(
        published.containsAll(nodes.mounted()),
        "mounted " + nodes.mounted() + ", published " + published);
    Set<NodeVolume> usable = usable();
    usable.retainAll(published);
    usable.removeIf(this::isPublishedWithoutResponse);
    verify(
        nodes.mounted().containsAll(usable), "mounted " + nodes.mounted() + ", usable " + usable);
    for (NodeVolume nodeVolume : neededVolumes) {
      boolean isAttached =
          storage.isShared(nodeVolume.handle())
              ? published.contains(nodeVolume)
              : published.stream().anyMatch(other -> other.handle().equals(nodeVolume.handle()));
      verify(
          isAttached || isNotPublishable(nodeVolume),
          nodeVolume + " is not attached; published are " + published);
    }
    for (Node node : server.list(Kind.NODE)) {
      Set<String> expected = new TreeSet<>();
      published.stream()
          .filter(at -> at.node().equals(node.meta().name()) && !isPublishedWithoutResponse(at))
          .forEach(at -> expected.add(SimStorage.uniqueName(at.handle())));
      verify(node.volumesAttached().keySet().equals(expected), node + " should list " + expected);
    }
    checkAttachments();
  }

  /**
   * Returns whether the volume is one of the CSI driver's that is being deleted; the controller
   * does not publish it.
   */
  private boolean isNotPublishable(NodeVolume nodeVolume) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(nodeVolume.handle()));
    return nodeVolume.handle().startsWith(SimCsiDriver.PREFIX)
        && volume != null
        && volume.meta().isBeingDeleted();
  }

  /**
   * Returns whether the volume was published without a response and is being deleted, so that the
   * controller does not call again.
   */
  private boolean isPublishedWithoutResponse(NodeVolume nodeVolume) {
    return isNotPublishable(nodeVolume)
        && server.list(Kind.ATTACHMENT).stream()
            .anyMatch(a ->
                a.nodeName().equals(nodeVolume.node())
                    && a.volumeName().equals(nodeVolume.handle())
                    && !a.attached());
  }

  /** Invariant: the CSI driver has published exactly the volumes whose attachments are attached. */
  private void checkAttachments() {
    Set<NodeVolume> attached = new HashSet<>();
    for (Attachment attachment : server.list(Kind.ATTACHMENT)) {
      NodeVolume nodeVolume = new NodeVolume(attachment.nodeName(), attachment.volumeName());
      verify(!attachment.meta().isBeingDeleted(), attachment + " is not gone");
      verify(
          attachment.attached()
              || isNotPublishable(nodeVolume)
                  && attachment.attachError().endsWith("is marked for deletion"),
          attachment + " is not attached");
      verify(
          !attachment.attached() || attached.add(nodeVolume), "two attachments of " + nodeVolume);
    }
    Set<NodeVolume> byDriver = new HashSet<>(storage.published());
    byDriver.removeIf(
        at -> !at.handle().startsWith(SimCsiDriver.PREFIX) || isPublishedWithoutResponse(at));
    verify(
        attached.equals(byDriver), "attachments say " + attached + ", published are " + byDriver);
  }

  private Set<NodeVolume> findNeeded() {
    Set<NodeVolume> neededVolumes = new HashSet<>();
    for (Pod pod : server.list(Kind.POD)) {
      if (!pod.nodeName().isEmpty() && !pod.isTerminated()) {
        for (String name : pod.claims()) {
          Claim claim = server.find(Kind.CLAIM, ObjectKey.of(pod.key().namespace(), name));
          if (claim != null && claim.phase() == ClaimPhase.BOUND) {
            neededVolumes.add(new NodeVolume(pod.nodeName(), claim.volumeName()));
          }
        }
      }
    }
    return neededVolumes;
  }

  /**
   * Returns the volumes that kubelets mount. They do not mount any for a pod with a claim that is
   * being deleted.
   */
  private Set<NodeVolume> usable() {
    Set<NodeVolume> usable = new HashSet<>();
    for (Pod pod : server.list(Kind.POD)) {
      if (!pod.nodeName().isEmpty() && !pod.isTerminated()) {
        SimKubelets.volumes(server, pod)
            .ifPresent(
                all -> all.forEach(name -> usable.add(new NodeVolume(pod.nodeName(), name))));
      }
    }
    return usable;
  }

  /**
   * Returns whether a late write created the volume. It looks like a restored copy, which is kept.
   */
  private static boolean isCreatedLate(Volume volume) {
    return volume.meta().hasAnnotation(VolumeOrigin.MADE_AT) && !VolumeOrigin.isOriginal(volume);
  }

  /** Invariant: after users have deleted everything, nothing is left over. */
  void checkNothingLeft() {
    verify(server.list(Kind.POD).isEmpty(), "left over: " + server.list(Kind.POD));
    verify(server.list(Kind.CLAIM).isEmpty(), "left over: " + server.list(Kind.CLAIM));
    List<Volume> remainingVolumes =
        server.list(Kind.VOLUME).stream().filter(volume -> !isCreatedLate(volume)).toList();
    verify(remainingVolumes.isEmpty(), "left over: " + remainingVolumes);
    if (!compat.isKubernetes()) {
      verify(storage.published().isEmpty(), "left over: " + storage.published());
      verify(nodes.mounted().isEmpty(), "left over: " + nodes.mounted());
      verify(server.list(Kind.ATTACHMENT).isEmpty(), "left over: " + server.list(Kind.ATTACHMENT));
    }
    storage
        .volumes()
        .forEach((name, item) ->
            verify(
                simulation.mayLeaveVolume(item.createdBy, item.unacknowledged) || isKept(name),
                name + " is left over in the storage"));
  }

  private boolean isKept(String volume) {
    return server.list(Kind.VOLUME).stream()
        .anyMatch(v -> v.meta().name().equals(volume) && isCreatedLate(v));
  }
}
