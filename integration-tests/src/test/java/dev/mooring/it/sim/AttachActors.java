package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * All actors of an {@link AttachWorkload} except the controller: users, kubelets, clients that
 * corrupt node statuses, and an {@link AttachDriver}. They know which volumes are really mounted on
 * which node.
 */
final class AttachActors {
  static final int NODES = SimNodes.COUNT;

  /** The CSI driver, which also attaches inline volumes of the type portworxVolume. */
  static final String DRIVER = "pxd.portworx.com";

  static final int VOLUMES = 3;

  /**
   * The last claim's PersistentVolume has the handle of the first volume, but allows many nodes.
   */
  private static final int CLAIMS = VOLUMES + 1;

  private static final int PODS = 5;

  /** Node of the pods whose use of a volume would allow many nodes. */
  private static final String SHARING_NODE = "n0";

  /**
   * Fault: objects that users remove. Nodes and attachments are removed while they are needed, but
   * never both in one schedule, since then no object would record a mount.
   */
  enum RemovedObjects {
    NOTHING,
    NODES,
    ATTACHMENTS,

    /** Unused volumes and their claims. */
    VOLUMES,

    /** Attachments, while late writes of other processes create new ones. */
    ATTACHMENTS_UNDER_WAY
  }

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final RemovedObjects removed;
  private final SimNodes nodes;
  private final AttachDriver driver;
  private final UnmanagedKubelet unmanaged;
  private long mounts;
  private long inlinePods;

  /**
   * Creates the nodes, claims and volumes.
   *
   * @param removed objects that users remove during the schedule
   */
  AttachActors(Simulation simulation, RemovedObjects removed) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.removed = removed;
    this.nodes =
        new SimNodes(simulation, removed == RemovedObjects.NODES, AttachActors::uniqueName);
    this.driver = new AttachDriver(simulation, this, nodes);
    this.unmanaged = new UnmanagedKubelet(simulation);
    if (removed == RemovedObjects.NOTHING && random.nextInt(4) == 0) {
      nodes.letKubeletAttach(UnmanagedKubelet.NODE);
    }
    nodes.setCallbacks(node -> {}, this::collectPods);
    for (int i = 0; i < CLAIMS; i++) {
      volume(i);
    }
  }

  /**
   * Returns the volume handle of a claim, volume or attachment with a numbered name, such as {@code
   * c3}.
   */
  static String handleOf(String numbered) {
    return "h" + Integer.parseInt(numbered.substring(1)) % VOLUMES;
  }

  /** Returns the handle of the pod's volume, which it uses through a claim or inline. */
  static String handle(Pod pod) {
    return pod.inline().isEmpty()
        ? handleOf(pod.claims().getFirst())
        : pod.inline().getFirst().source().attribute("volumeID");
  }

  /** Returns the handle of the volume that the attachment attaches. */
  static String handle(Attachment attachment) {
    return attachment.volumeName().isEmpty()
        ? IntStream.range(0, VOLUMES)
            .mapToObj(i -> "h" + i)
            .filter(handle ->
                Attachment.nameOf(DRIVER, handle, attachment.nodeName())
                    .equals(attachment.meta().name()))
            .findFirst()
            .orElseThrow()
        : handleOf(attachment.volumeName());
  }

  /** Returns whether the volume allows many nodes; only the last one does. */
  static boolean isShared(String handle) {
    return handle.equals("h" + (VOLUMES - 1));
  }

  private void volume(int i) {
    String handle = handleOf("v" + i);
    String mode = i >= VOLUMES || isShared(handle) ? "ReadWriteMany" : "ReadWriteOnce";
    server.create(
        Kind.CLAIM,
        "ns",
        "{'metadata':{'name':'c%d'},'spec':{'accessModes':['%s'],'storageClassName':'','volumeName':'v%d','resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(i, mode, i));
    Claim claim = server.find(Kind.CLAIM, ObjectKey.of("ns", "c" + i));
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'v%d'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['%s'],'csi':{'driver':'%s','volumeHandle':'%s'},'claimRef':{'namespace':'ns','name':'c%d','uid':'%s'}}}"
            .formatted(i, mode, DRIVER, handle, i, claim.meta().uid()));
    server.changeStatus(Kind.CLAIM, claim.key(), "{'status':{'phase':'Bound'}}");
  }

  /**
   * Invariant: no exclusive volume is on two nodes. A node does not count if the controller
   * force-detached the volume from it and recorded that in an event.
   */
  void check() {
    for (int i = 0; i < VOLUMES; i++) {
      String handle = "h" + i;
      if (isShared(handle)) {
        continue;
      }
      long publishedOn =
          driver.published().stream().filter(at -> at.handle().equals(handle)).count();
      verify(publishedOn <= 1, handle + " is published on two nodes: " + driver.published());
      Set<String> nodesWithVolume = new TreeSet<>();
      for (NodeVolume nodeVolume : nodes.mounted()) {
        if (nodeVolume.handle().equals(handle) && !nodes.forceDetached().contains(nodeVolume)) {
          nodesWithVolume.add(nodeVolume.node());
        }
      }
      // if a user deletes an attachment under a running pod, the driver publishes the volume to the
      // next node
      for (NodeVolume nodeVolume : driver.published()) {
        if (nodeVolume.handle().equals(handle) && removed != RemovedObjects.ATTACHMENTS_UNDER_WAY) {
          nodesWithVolume.add(nodeVolume.node());
        }
      }
      verify(
          nodesWithVolume.size() <= 1,
          handle + " is on " + nodesWithVolume + ", force-detached: " + nodes.forceDetached());
    }
  }

  void actAsUser() {
    String pod = "p" + random.nextInt(PODS);
    boolean mayRemoveObjects = removesAttachments() || removed == RemovedObjects.VOLUMES;
    switch (random.nextInt(mayRemoveObjects ? 6 : 5)) {
      case 0, 1, 2 -> {
        int volume = random.nextInt(CLAIMS + 1);
        if (volume == CLAIMS) {
          createInlinePod(pod, "h" + random.nextInt(VOLUMES - 1));
        } else {
          createPod(pod, volume);
        }
      }
      case 3 -> {
        simulation.addToHistory("user: delete pod " + pod);
        server.delete(Kind.POD, ObjectKey.of("ns", pod));
      }
      case 5 -> {
        if (removed == RemovedObjects.VOLUMES) {
          replaceVolume(random.nextInt(CLAIMS));
        } else {
          deleteAttachment();
        }
      }
      default -> {
        Pod existingPod = server.find(Kind.POD, ObjectKey.of("ns", pod));
        // a user who knows that the node is dead
        if (existingPod != null && nodes.isUnresponsive(existingPod.nodeName())) {
          simulation.addToHistory("user: force-delete pod " + pod);
          server.deleteNow(Kind.POD, existingPod.key());
        }
      }
    }
  }

  private void createPod(String pod, int volume) {
    // pods of the second PersistentVolume stay on one node: its access mode would allow two
    String node = volume < VOLUMES ? nodes.pick() : SHARING_NODE;
    if (server.find(Kind.CLAIM, ObjectKey.of("ns", "c" + volume)) == null) {
      return; // the pod would never start without its claim
    }
    simulation.addToHistory("user: pod " + pod + " with c" + volume + " on " + node);
    createPod(
        pod, node, "{'name':'v','persistentVolumeClaim':{'claimName':'c%d'}}".formatted(volume));
  }

  /**
   * Fault: a pod names the handle of a claim's volume inline, and requests it read-only, so that
   * the pod alone would allow many nodes. It also has an ephemeral volume of the driver, which is
   * never attached.
   */
  private void createInlinePod(String pod, String handle) {
    simulation.addToHistory("user: pod " + pod + " with " + handle + " inline on " + SHARING_NODE);
    inlinePods++;
    createPod(
        pod,
        SHARING_NODE,
        "{'name':'v','portworxVolume':{'volumeID':'%s','readOnly':true}},{'name':'e','csi':{'driver':'%s'}}"
            .formatted(handle, DRIVER));
  }

  private void createPod(String pod, String node, String volumes) {
    server.create(
        Kind.POD,
        "ns",
        "{'metadata':{'name':'%s'},'spec':{'nodeName':'%s','containers':[{'name':'c','image':'i'}],'volumes':[%s]}}"
            .formatted(pod, node, volumes));
  }

  /** Deletes the pods of a removed node, as the pod garbage collector does. */
  private void collectPods(String node) {
    server.list(Kind.POD).stream()
        .filter(pod -> pod.nodeName().equals(node))
        .forEach(pod -> server.deleteNow(Kind.POD, pod.key()));
  }

  private void deleteAttachment() {
    List<Attachment> attachments = server.list(Kind.ATTACHMENT);
    if (!attachments.isEmpty()) {
      Attachment attachment = simulation.pick(attachments);
      simulation.addToHistory(
          "user: delete attachment of " + attachment.volumeName() + " to " + attachment.nodeName());
      server.delete(Kind.ATTACHMENT, attachment.key());
    }
  }

  /** Deletes an unused claim and its volume, or creates them again. */
  private void replaceVolume(int i) {
    ObjectKey claim = ObjectKey.of("ns", "c" + i);
    ObjectKey volume = ObjectKey.cluster("v" + i);
    if (server.find(Kind.CLAIM, claim) == null) {
      simulation.addToHistory("user: c" + i + " and its volume are created again");
      volume(i);
    } else if (isUnused(i)) {
      simulation.addToHistory("user: c" + i + " and its volume are deleted");
      for (Kind<?> kind : List.of(Kind.CLAIM, Kind.VOLUME)) {
        ObjectKey key = kind.equals(Kind.CLAIM) ? claim : volume;
        server.change(kind, key, "{'metadata':{'finalizers':null}}");
        server.deleteNow(kind, key);
      }
    }
  }

  private boolean isUnused(int i) {
    String handle = handleOf("v" + i);
    return server.list(Kind.POD).stream().noneMatch(pod -> handle(pod).equals(handle))
        && server.list(Kind.ATTACHMENT).stream().noneMatch(a -> a.volumeName().equals("v" + i))
        && driver.published().stream().noneMatch(at -> at.handle().equals(handle))
        && nodes.mounted().stream().noneMatch(at -> at.handle().equals(handle));
  }

  /**
   * Fault: a node stops responding, becomes not ready, is tainted out of service, or comes back.
   */
  void disturbNode(String name) {
    nodes.disturb(name);
  }

  /** Fault: a node becomes not ready, and an administrator force-deletes its pods. */
  void failNode(String name) {
    if (!nodes.isUnresponsive(name) && server.find(Kind.NODE, ObjectKey.cluster(name)) != null) {
      nodes.fail(name);
      collectPods(name);
    }
  }

  static String uniqueName(String handle) {
    return "kubernetes.io/csi/" + DRIVER + "^" + handle;
  }

  /**
   * Lets a kubelet take one step. It reports a volume in use before it mounts it, and stops
   * reporting it after the unmount.
   */
  void stepKubelet(String name) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(name));
    if (nodes.isUnresponsive(name) || node == null) {
      return;
    }
    Set<String> neededHandles = new TreeSet<>();
    for (Pod pod : server.list(Kind.POD)) {
      if (pod.nodeName().equals(name) && !pod.meta().isBeingDeleted()) {
        neededHandles.add(handle(pod));
      }
    }
    Set<String> inUse = new TreeSet<>(node.volumesInUse());
    List<Runnable> steps = new ArrayList<>();
    for (int i = 0; i < VOLUMES; i++) {
      String handle = "h" + i;
      NodeVolume nodeVolume = new NodeVolume(name, handle);
      boolean isNeeded = neededHandles.contains(handle);
      boolean marked = inUse.contains(uniqueName(handle));
      boolean isMounted = nodes.mounted().contains(nodeVolume);
      if (isNeeded && !marked && !isMounted) {
        steps.add(() -> nodes.setInUse(name, inUse, handle, true));
      } else if (isNeeded && marked && !isMounted && isAttached(node, handle)) {
        steps.add(() -> mount(nodeVolume));
      } else if (nodes.isUnmanaged(name) && !isMounted && isNeeded == marked) {
        unmanaged.nextStep(handle, isNeeded).ifPresent(steps::add);
      } else if (!isNeeded && isMounted) {
        steps.add(() -> nodes.unmount(nodeVolume));
      } else if (!isNeeded && marked && !isMounted && !nodes.isFalselyReported(nodeVolume)) {
        steps.add(() -> nodes.setInUse(name, inUse, handle, false));
      }
    }
    for (Pod pod : server.list(Kind.POD)) {
      boolean isStillMounted =
          nodes.mounted().contains(new NodeVolume(name, handle(pod)))
              && !neededHandles.contains(handle(pod));
      if (!pod.nodeName().equals(name)) {
        continue;
      }
      if (pod.meta().isBeingDeleted() && !isStillMounted) {
        steps.add(() -> server.deleteNow(Kind.POD, pod.key()));
      } else if (!pod.meta().isBeingDeleted() && !isRunning(pod) && isMountedFor(pod)) {
        steps.add(() -> run(pod)); // another pod had the volume mounted first
      }
    }
    if (!steps.isEmpty()) {
      simulation.pick(steps).run();
    }
  }

  private boolean isAttached(Node node, String handle) {
    return nodes.isUnmanaged(node.meta().name())
        ? unmanaged.isAttached(handle)
        : node.volumesAttached().containsKey(uniqueName(handle));
  }

  /** Returns whether the kubelet of the node creates its attachments itself. */
  boolean isUnmanaged(String node) {
    return nodes.isUnmanaged(node);
  }

  private static boolean isRunning(Pod pod) {
    return pod.phase() == Pod.Phase.RUNNING;
  }

  private boolean isMountedFor(Pod pod) {
    return nodes.mounted().contains(new NodeVolume(pod.nodeName(), handle(pod)));
  }

  private void mount(NodeVolume nodeVolume) {
    if (!driver.published().contains(nodeVolume)) {
      simulation.addToHistory("kubelet: cannot mount " + nodeVolume);
      return; // the device is not there
    }
    nodes.mount(nodeVolume);
    mounts++;
    server.list(Kind.POD).stream()
        .filter(pod -> !pod.meta().isBeingDeleted() && isMountedFor(pod))
        .forEach(this::run);
    check();
  }

  /** Reports the pod as running, as a kubelet does after the mount. */
  private void run(Pod pod) {
    server.changeStatus(
        Kind.POD,
        pod.key(),
        "{'status':{'phase':'Running','containerStatuses':[{'name':'c','state':{'running':{}}}]}}");
  }

  /**
   * Fault: a client writes wrong entries into a node's list of attached volumes. In schedules that
   * remove objects it keeps the true entries. Otherwise no object would record a mount after a
   * restart of the controller.
   */
  void corruptNodeStatus() {
    String name = nodes.pick();
    if (nodes.isUnmanaged(name)) {
      return; // no controller corrects the list of this node
    }
    if (!simulation.compat().isKubernetes() && random.nextInt(4) == 0) {
      nodes.reportFalsely(new NodeVolume(name, "h" + random.nextInt(VOLUMES)));
      return;
    }
    simulation.addToHistory("user: corrupts the status of " + name);
    Set<String> list = new TreeSet<>(Set.of("nonsense/nonsense/x", uniqueName("none")));
    Node node = server.find(Kind.NODE, ObjectKey.cluster(name));
    if (removed != RemovedObjects.NOTHING && node != null) {
      list.addAll(node.volumesAttached().keySet());
    }
    List<String> entries = list.stream().map("{'name':'%s','devicePath':''}"::formatted).toList();
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(name),
        "{'status':{'volumesAttached':[" + String.join(",", entries) + "]}}");
  }

  void reviveAll() {
    nodes.reviveAll();
  }

  String randomNode() {
    return nodes.pick();
  }

  /**
   * Lets every kubelet and the driver finish their work.
   *
   * @return whether there was any
   */
  boolean finishWork() {
    long changesBefore = nodes.changeCount();
    for (int i = 0; i < NODES; i++) {
      stepKubelet("n" + i);
    }
    server.list(Kind.ATTACHMENT).forEach(driver::process);
    return nodes.changeCount() != changesBefore;
  }

  /** Returns whether the kubelet reports the volume in use even if it does not use it. */
  boolean isFalselyReported(NodeVolume nodeVolume) {
    return nodes.isFalselyReported(nodeVolume);
  }

  /** Returns whether users delete attachments that are needed. */
  boolean removesAttachments() {
    return removed == RemovedObjects.ATTACHMENTS || removed == RemovedObjects.ATTACHMENTS_UNDER_WAY;
  }

  void deletePods() {
    simulation.addToHistory("user: delete all pods");
    server.list(Kind.POD).forEach(pod -> server.delete(Kind.POD, pod.key()));
  }

  /** Records that the controller force-detached the volume and emitted an event. */
  void recordForceDetach(String node, String handle) {
    nodes.recordForceDetach(new NodeVolume(node, handle));
  }

  /** Returns whether writes of crashed processes may still reach the API server. */
  boolean hasLateWrites() {
    return removed == RemovedObjects.VOLUMES || removed == RemovedObjects.ATTACHMENTS_UNDER_WAY;
  }

  long mountCount() {
    return mounts;
  }

  NodeLeases leases() {
    return nodes.leases();
  }

  /** Returns the number of pods that users created with an inline volume. */
  long inlinePodCount() {
    return inlinePods;
  }

  /** Returns the number of attachments that a kubelet created. */
  long kubeletAttachmentCount() {
    return unmanaged.attachmentCount();
  }

  AttachDriver driver() {
    return driver;
  }

  /** Returns the volumes that nodes have mounted. */
  Set<NodeVolume> mounted() {
    return nodes.mounted();
  }
}
