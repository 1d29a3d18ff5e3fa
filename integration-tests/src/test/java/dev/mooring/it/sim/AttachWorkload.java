package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Workload: the attach/detach controller beside the external attacher of a CSI driver. Pods are
 * created, deleted and moved; kubelets are slow or dead; the attacher fails, lags and reports wrong
 * results.
 *
 * <p>Invariant, after every step: no exclusive volume is on two nodes, unless an event records a
 * force-detach.
 *
 * <p>Invariant: only a node whose kubelet did not renew its Lease in time counts as dead.
 *
 * <p>Invariant at the end: volumes are attached where pods need them and nowhere else, and node
 * statuses list exactly these.
 */
final class AttachWorkload implements Workload {
  private static final Pace PACE = new Pace(500, 2_500, 40, 1);
  private static final int OUTAGE_ACTS = 10;

  /** Time after which a silent node counts as dead. */
  private static final long EVIDENCE_NANOS = 60_000_000_000L;

  private final Simulation simulation;
  private final SimServer server;
  private final AttachActors actors;
  private final boolean evidence; // whether the controllers run with --failover=evidence
  private boolean calm; // no call fails, so that a node can be watched without a gap
  private long forcedDetaches;
  private long failovers;
  private long falseReports;

  AttachWorkload(Simulation simulation) {
    this.simulation = simulation;
    server = simulation.server();
    evidence = !simulation.compat().isKubernetes() && simulation.random().nextInt(3) == 0;
    actors = new AttachActors(simulation, removed(simulation.mode(), simulation.hasSeveralPages()));
  }

  private static AttachActors.RemovedObjects removed(FaultMode mode, boolean even) {
    return switch (mode) {
      case LATE_AND_REMOVED -> AttachActors.RemovedObjects.ATTACHMENTS_UNDER_WAY;
      case LATE, GIVEN_UP -> AttachActors.RemovedObjects.VOLUMES;
      case WIDE, FAULTY ->
          even ? AttachActors.RemovedObjects.NODES : AttachActors.RemovedObjects.ATTACHMENTS;
      case NORMAL, TAKEOVERS, OUTAGES, KUBERNETES -> AttachActors.RemovedObjects.NOTHING;
    };
  }

  @Override
  public Pace pace() {
    return PACE;
  }

  @Override
  public SimProcess.Program program(Object process) {
    return new SimProcess.Program(
        List.of(KnownController.ATTACH_DETACH.module()), LoadedPlugins.NONE, Optional.empty());
  }

  @Override
  public void act() {
    int draw = simulation.random().nextInt(230);
    if (draw < 90) {
      actors.stepKubelet(actors.randomNode());
    } else if (draw < 160) {
      actors.driver().act();
    } else if (draw < 210) {
      actors.actAsUser();
    } else if (draw < 222) {
      disturbNode(actors.randomNode());
    } else {
      actors.corruptNodeStatus();
    }
  }

  private void disturbNode(String node) {
    if (evidence && simulation.random().nextBoolean()) {
      actors.failNode(node);
      calm = true;
      simulation.settle(EVIDENCE_NANOS);
      calm = false;
    } else {
      actors.disturbNode(node);
    }
  }

  @Override
  public void actInOutage() {
    for (int i = 0; i < OUTAGE_ACTS; i++) {
      actors.actAsUser();
    }
  }

  @Override
  public boolean finishOtherWork() {
    return actors.finishWork();
  }

  @Override
  public void check() {
    actors.check();
  }

  @Override
  public void onFaultsEnd() {
    actors.reviveAll();
  }

  @Override
  public <T extends Resource> void onWrite(T previous, WriteResult<T> result) {
    // check() verifies after every step where volumes are attached
    Resource current =
        result instanceof WriteResult.Written<T>(T writtenObject) ? writtenObject : previous;
    if (current instanceof Attachment attachment) {
      verify(
          !actors.isUnmanaged(attachment.nodeName()),
          "the controller writes an attachment of a node that manages its own: " + attachment);
    }
  }

  @Override
  public CallFault chooseFault(String request, CallFault drawn) {
    return calm ? CallFault.NONE : drawn;
  }

  @Override
  public boolean failsOverByEvidence() {
    return evidence;
  }

  @Override
  public void beforeRead(Kind<?> kind, ObjectKey key) {
    if (kind.equals(Kind.LEASE)) {
      actors.leases().write(key.name());
    }
  }

  @Override
  public void onEvent(ClusterEvent event) {
    if (event.reason().equals("VolumeForceDetached")) {
      if (event.note().contains("its Lease of")) {
        failovers++;
        verify(
            actors.leases().wasExpired(event.subject().name()),
            "a node counts as dead although its kubelet renews its Lease: " + event.note());
      }
      falseReports +=
          event.note().contains("no VolumeAttachment, volumesAttached or pod confirmed it") ? 1 : 0;
      for (int i = 0; i < AttachActors.VOLUMES; i++) {
        String handle = "h" + i;
        if (event.note().contains(AttachActors.uniqueName(handle) + " ")) {
          forcedDetaches++;
          actors.recordForceDetach(event.subject().name(), handle);
        }
      }
    }
  }

  @Override
  public Map<String, Long> occurrences() {
    return Map.of(
        "failovers by evidence",
        failovers,
        "mounts",
        actors.mountCount(),
        "volumes force-detached",
        forcedDetaches,
        "attachments of kubelets",
        actors.kubeletAttachmentCount(),
        "false reports overruled",
        falseReports,
        "pods with inline volumes",
        actors.inlinePodCount());
  }

  @Override
  public Map<String, Double> minimumOccurrences() {
    // the other modes play too few schedules
    return simulation.mode() == FaultMode.NORMAL
        ? Map.of(
            "mounts",
            1.0,
            "volumes force-detached",
            0.01,
            "attachments of kubelets",
            0.1,
            "pods with inline volumes",
            1.0,
            "failovers by evidence",
            0.01,
            "false reports overruled",
            0.005)
        : Map.of("mounts", 1.0);
  }

  @Override
  public void finish() {
    simulation.endFaults();
    simulation.awaitRest();
    if (actors.removesAttachments()) {
      // after the attachments of a volume are deleted, two nodes may each have it mounted. The
      // controller can detach neither until a pod is deleted.
      actors.deletePods();
      simulation.awaitRest();
    }
    checkEnd();
  }

  /**
   * Invariant: volumes are attached and mounted on the nodes whose pods need them, and nowhere
   * else.
   */
  private void checkEnd() {
    Set<NodeVolume> published = actors.driver().published();
    Set<NodeVolume> mounted = actors.mounted();
    Set<NodeVolume> neededVolumes = new HashSet<>();
    for (Pod pod : server.list(Kind.POD)) {
      neededVolumes.add(new NodeVolume(pod.nodeName(), AttachActors.handle(pod)));
    }
    Set<NodeVolume> attached = new HashSet<>();
    for (Attachment attachment : server.list(Kind.ATTACHMENT)) {
      NodeVolume nodeVolume =
          new NodeVolume(attachment.nodeName(), AttachActors.handle(attachment));
      if (!mayStayUnattached(attachment, nodeVolume, neededVolumes)) {
        verify(
            attachment.attached() && !attachment.meta().isBeingDeleted(),
            "left over: " + attachment);
        attached.add(nodeVolume);
      }
    }
    verify(attached.equals(published), "attached " + attached + ", published " + published);
    // a false report of a kubelet keeps an attachment that exists
    Set<NodeVolume> used = new HashSet<>(attached);
    used.removeIf(at -> actors.isFalselyReported(at) && !neededVolumes.contains(at));
    verify(neededVolumes.containsAll(used), "dangling: " + used + ", wanted " + neededVolumes);
    verify(mounted.equals(used), "mounted " + mounted + ", attached " + used);
    for (NodeVolume nodeVolume : neededVolumes) {
      boolean isAttached =
          AttachActors.isShared(nodeVolume.handle())
              ? attached.contains(nodeVolume)
              : attached.stream().anyMatch(a -> a.handle().equals(nodeVolume.handle()));
      verify(isAttached, nodeVolume + " has no attachment; attached are " + attached);
    }
    checkListed(used, neededVolumes);
  }

  /**
   * Returns whether the attachment may stay unattached for ever. A late write requested a volume
   * that another node has, and this node's kubelet reports it in use, as it does before a mount.
   * The controller cannot rule out a mount. If a pod there needs the volume, the attachment stays
   * until one of the two pods is deleted. If the report is false, the attachment stays for ever.
   */
  private boolean mayStayUnattached(
      Attachment attachment, NodeVolume nodeVolume, Set<NodeVolume> neededVolumes) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(nodeVolume.node()));
    return !attachment.attached()
        && !attachment.meta().isBeingDeleted()
        && (neededVolumes.contains(nodeVolume) || actors.isFalselyReported(nodeVolume))
        && actors.driver().isElsewhere(nodeVolume)
        && node != null
        && node.volumesInUse().contains(AttachActors.uniqueName(nodeVolume.handle()));
  }

  private void checkListed(Set<NodeVolume> attached, Set<NodeVolume> neededVolumes) {
    for (Node node : server.list(Kind.NODE)) {
      if (actors.isUnmanaged(node.meta().name())) {
        continue; // no controller writes the list of this node
      }
      Set<String> expected = new TreeSet<>();
      Set<String> listedNames = new TreeSet<>(node.volumesAttached().keySet());
      listedNames.removeIf(name -> name.startsWith("nonsense/")); // no plugin knows this entry
      for (int i = 0; i < AttachActors.VOLUMES; i++) {
        NodeVolume nodeVolume = new NodeVolume(node.meta().name(), "h" + i);
        if (actors.isFalselyReported(nodeVolume) && !neededVolumes.contains(nodeVolume)) {
          listedNames.remove(AttachActors.uniqueName(nodeVolume.handle()));
        }
      }
      attached.stream()
          .filter(at -> at.node().equals(node.meta().name()))
          .forEach(at -> expected.add(AttachActors.uniqueName(at.handle())));
      verify(expected.equals(listedNames), node + " should list " + expected);
    }
  }
}
