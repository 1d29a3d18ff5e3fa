package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.attachdetach.AttachDetachModule;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.it.sim.SimNodes.At;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.storage.Plugins;
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
 * <p>Invariant at the end: volumes are attached where pods need them and nowhere else, and node
 * statuses list exactly these.
 */
final class AttachWorkload implements Workload {
  private static final Pace PACE = new Pace(500, 2_500, 40, 1);
  private static final int AT_ONCE = 10;

  private final Simulation simulation;
  private final SimServer server;
  private final AttachOthers others;
  private long forcedDetaches;
  private long lies;

  AttachWorkload(Simulation simulation) {
    this.simulation = simulation;
    server = simulation.server();
    others = new AttachOthers(simulation, removed(simulation.mode(), simulation.isLarge()));
  }

  private static AttachOthers.Removed removed(Mode mode, boolean even) {
    return switch (mode) {
      case LATE_AND_REMOVED -> AttachOthers.Removed.ATTACHMENTS_UNDER_WAY;
      case LATE, GIVEN_UP -> AttachOthers.Removed.VOLUMES;
      case WIDE, FAULTY -> even ? AttachOthers.Removed.NODES : AttachOthers.Removed.ATTACHMENTS;
      case NORMAL, TAKEOVERS, OUTAGES, KUBERNETES -> AttachOthers.Removed.NOTHING;
    };
  }

  @Override
  public Pace pace() {
    return PACE;
  }

  @Override
  public SimProcess.Program program(Object process) {
    return new SimProcess.Program(
        List.of(new AttachDetachModule()), Plugins.NONE, Optional.empty());
  }

  @Override
  public void act() {
    int what = simulation.random().nextInt(230);
    if (what < 90) {
      others.kubelet(others.anyNode());
    } else if (what < 160) {
      others.driver().act();
    } else if (what < 210) {
      others.user();
    } else if (what < 222) {
      others.node(others.anyNode());
    } else {
      others.meddle();
    }
  }

  @Override
  public void actInOutage() {
    for (int i = 0; i < AT_ONCE; i++) {
      others.user();
    }
  }

  @Override
  public boolean play() {
    return others.play();
  }

  @Override
  public void check() {
    others.check();
  }

  @Override
  public void calm() {
    others.reviveAll();
  }

  @Override
  public <T extends Resource> void written(T before, WriteResult<T> result) {
    // check() verifies after every step where volumes are attached
    Resource now = result instanceof WriteResult.Written<T>(T written) ? written : before;
    if (now instanceof Attachment attachment) {
      verify(
          !others.isUnmanaged(attachment.nodeName()),
          "the controller writes an attachment of a node that manages its own: " + attachment);
    }
  }

  @Override
  public void event(ClusterEvent event) {
    if (event.reason().equals("VolumeForceDetached")) {
      lies += event.note().contains("no attachment, list or pod confirmed it") ? 1 : 0;
      for (int i = 0; i < AttachOthers.VOLUMES; i++) {
        if (event.note().contains("^h" + i + " ")) {
          forcedDetaches++;
          others.takenByForce(event.about().name(), "h" + i);
        }
      }
    }
  }

  @Override
  public Map<String, Long> counts() {
    return Map.of(
        "mounts",
        others.mounts(),
        "volumes force-detached",
        forcedDetaches,
        "attachments of kubelets",
        others.attachmentsOfKubelet(),
        "false reports overruled",
        lies);
  }

  @Override
  public Map<String, Double> least() {
    // the other modes play too few schedules
    return simulation.mode() == Mode.NORMAL
        ? Map.of(
            "mounts",
            1.0,
            "volumes force-detached",
            0.01,
            "attachments of kubelets",
            0.1,
            "false reports overruled",
            0.005)
        : Map.of("mounts", 1.0);
  }

  @Override
  public void end() {
    simulation.calm();
    simulation.rest();
    if (others.removesAttachments()) {
      // after the attachments of a volume are deleted, two nodes may each have it mounted. The
      // controller can detach neither until a pod is deleted.
      others.deletePods();
      simulation.rest();
    }
    checkEnd();
  }

  /**
   * Invariant: volumes are attached and mounted on the nodes whose pods need them, and nowhere
   * else.
   */
  private void checkEnd() {
    Set<At> published = others.driver().published();
    Set<At> mounted = others.mounted();
    Set<At> wanted = new HashSet<>();
    for (Pod pod : server.all(Kind.POD)) {
      wanted.add(new At(pod.nodeName(), AttachOthers.handle(pod)));
    }
    Set<At> attached = new HashSet<>();
    for (Attachment attachment : server.all(Kind.ATTACHMENT)) {
      At at = new At(attachment.nodeName(), AttachOthers.handleOf(attachment.volumeName()));
      if (!isInVain(attachment, at, wanted)) {
        verify(
            attachment.attached() && !attachment.meta().isBeingDeleted(),
            "left over: " + attachment);
        attached.add(at);
      }
    }
    verify(attached.equals(published), "attached " + attached + ", published " + published);
    // a false report of a kubelet keeps an attachment that exists
    Set<At> used = new HashSet<>(attached);
    used.removeIf(at -> others.isFalselyReported(at) && !wanted.contains(at));
    verify(wanted.containsAll(used), "dangling: " + used + ", wanted " + wanted);
    verify(mounted.equals(used), "mounted " + mounted + ", attached " + used);
    for (At at : wanted) {
      boolean there =
          AttachOthers.isShared(at.handle())
              ? attached.contains(at)
              : attached.stream().anyMatch(a -> a.handle().equals(at.handle()));
      verify(there, at + " has no attachment; attached are " + attached);
    }
    listed(used, wanted);
  }

  /**
   * Returns whether the attachment may stay unattached for ever. A late write requested a volume
   * that another node has, and this node's kubelet reports it in use, as it does before a mount.
   * The controller cannot rule out a mount, and a pod there needs the volume. The attachment stays
   * until one of the two pods is deleted.
   */
  private boolean isInVain(Attachment attachment, At at, Set<At> wanted) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(at.node()));
    return !attachment.attached()
        && !attachment.meta().isBeingDeleted()
        && wanted.contains(at)
        && others.driver().isElsewhere(at)
        && node != null
        && node.volumesInUse().contains(AttachOthers.unique(at.handle()));
  }

  private void listed(Set<At> attached, Set<At> wanted) {
    for (Node node : server.all(Kind.NODE)) {
      if (others.isUnmanaged(node.meta().name())) {
        continue; // no controller writes the list of this node
      }
      Set<String> expected = new TreeSet<>();
      Set<String> listed = new TreeSet<>(node.volumesAttached().keySet());
      listed.removeIf(name -> name.startsWith("nonsense/")); // no plugin knows this entry
      for (int i = 0; i < AttachOthers.VOLUMES; i++) {
        At at = new At(node.meta().name(), "h" + i);
        if (others.isFalselyReported(at) && !wanted.contains(at)) {
          listed.remove(AttachOthers.unique(at.handle()));
        }
      }
      attached.stream()
          .filter(at -> at.node().equals(node.meta().name()))
          .forEach(at -> expected.add(AttachOthers.unique(at.handle())));
      verify(expected.equals(listed), node + " should list " + expected);
    }
  }
}
