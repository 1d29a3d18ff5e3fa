package dev.mooring.it.sim;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Everybody in an {@link AttachWorld} but the controller: users, kubelets, a driver, and whoever
 * meddles. They know what is really mounted where.
 */
final class AttachOthers {
  static final int NODES = 3;
  static final int VOLUMES = 3;
  private static final int PODS = 5;

  /**
   * What is removed: nodes or attachments while they are needed, never both, which would leave no
   * trace of a mount; or volumes that nobody uses.
   */
  enum Removed {
    NOTHING,
    NODES,
    ATTACHMENTS,
    VOLUMES,
    /** Attachments too, while writes of processes that are gone ask for others. */
    ATTACHMENTS_UNDER_WAY
  }

  /** A volume on a node. */
  record At(String node, String handle) {}

  private final Random random;
  private final SimServer server;
  private final Removed removed;
  private final Consumer<String> note;
  private final Set<At> published = new HashSet<>(); // what the storage lets whom write to
  private final Set<At> mounted = new HashSet<>(); // what nodes write to
  private final Set<At> forced = new HashSet<>(); // what was taken by force on record
  private final Set<String> dead = new HashSet<>();
  private boolean calm;
  private int mounts;

  /**
   * Nothing is mounted.
   *
   * @param removed what else is removed by people who ought not to
   * @param note takes what happens, for people
   */
  AttachOthers(Random random, SimServer server, Removed removed, Consumer<String> note) {
    this.random = random;
    this.server = server;
    this.removed = removed;
    this.note = note;
    for (int i = 0; i < NODES; i++) {
      register("n" + i);
      ready("n" + i, "True");
    }
    for (int i = 0; i < VOLUMES; i++) {
      volume(i);
    }
  }

  private void register(String node) {
    server.create(
        Kind.NODE,
        "",
        "{'metadata':{'name':'%s','annotations':{'volumes.kubernetes.io/controller-managed-attach-detach':'true'}}}"
            .formatted(node));
  }

  /** The last volume may be on many nodes at once. */
  static boolean isShared(String handle) {
    return handle.equals("h" + (VOLUMES - 1));
  }

  private void volume(int i) {
    String mode = isShared("h" + i) ? "ReadWriteMany" : "ReadWriteOnce";
    server.create(
        Kind.CLAIM,
        "ns",
        "{'metadata':{'name':'c%d'},'spec':{'accessModes':['%s'],'storageClassName':'','volumeName':'v%d','resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(i, mode, i));
    Claim claim = server.find(Kind.CLAIM, ObjectKey.of("ns", "c" + i));
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'v%d'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['%s'],'csi':{'driver':'d','volumeHandle':'h%d'},'claimRef':{'namespace':'ns','name':'c%d','uid':'%s'}}}"
            .formatted(i, mode, i, i, claim.meta().uid()));
    server.changeStatus(Kind.CLAIM, claim.key(), "{'status':{'phase':'Bound'}}");
  }

  private void ready(String node, String status) {
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'conditions':[{'type':'Ready','status':'" + status + "'}]}}");
  }

  /** No exclusive volume is on two nodes, but where one was taken by force on record. */
  void check() {
    for (int i = 0; i < VOLUMES; i++) {
      String handle = "h" + i;
      if (isShared(handle)) {
        continue;
      }
      long publishedOn = published.stream().filter(at -> at.handle().equals(handle)).count();
      verify(publishedOn <= 1, handle + " is published on two nodes: " + published);
      Set<String> nodes = new TreeSet<>();
      for (At at : mounted) {
        if (at.handle().equals(handle) && !forced.contains(at)) {
          nodes.add(at.node());
        }
      }
      // whoever removes an attachment under a pod has the driver give the volume to the next one
      for (At at : published) {
        if (at.handle().equals(handle) && removed != Removed.ATTACHMENTS_UNDER_WAY) {
          nodes.add(at.node());
        }
      }
      verify(nodes.size() <= 1, handle + " is on " + nodes + ", taken by force: " + forced);
    }
  }

  private static void verify(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  void user() {
    String pod = "p" + random.nextInt(PODS);
    boolean more = removesAttachments() || removed == Removed.VOLUMES;
    switch (random.nextInt(more ? 6 : 5)) {
      case 0, 1, 2 -> {
        String node = "n" + random.nextInt(NODES);
        int volume = random.nextInt(VOLUMES);
        if (server.find(Kind.CLAIM, ObjectKey.of("ns", "c" + volume)) == null) {
          return; // its claim would be waited for
        }
        note.accept("user: pod " + pod + " with c" + volume + " on " + node);
        server.create(
            Kind.POD,
            "ns",
            "{'metadata':{'name':'%s'},'spec':{'nodeName':'%s','containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c%d'}}]}}"
                .formatted(pod, node, volume));
        server.changeStatus(
            Kind.POD,
            ObjectKey.of("ns", pod),
            "{'status':{'phase':'Running','containerStatuses':[{'name':'c','state':{'running':{}}}]}}");
      }
      case 3 -> {
        note.accept("user: delete pod " + pod);
        server.delete(Kind.POD, ObjectKey.of("ns", pod));
      }
      case 5 -> {
        if (removed == Removed.VOLUMES) {
          replaceVolume(random.nextInt(VOLUMES));
        } else {
          deleteAttachment();
        }
      }
      default -> {
        Pod found = server.find(Kind.POD, ObjectKey.of("ns", pod));
        // somebody who knows that the node is dead
        if (found != null && dead.contains(found.nodeName())) {
          note.accept("user: force-delete pod " + pod);
          server.deleteNow(Kind.POD, found.key());
        }
      }
    }
  }

  private void deleteAttachment() {
    List<Attachment> all = server.all(Kind.ATTACHMENT);
    if (!all.isEmpty()) {
      Attachment attachment = any(all);
      note.accept(
          "user: delete attachment of " + attachment.volumeName() + " to " + attachment.nodeName());
      server.delete(Kind.ATTACHMENT, attachment.key());
    }
  }

  /** A claim and its volume go, if nobody uses them, or come back. */
  private void replaceVolume(int i) {
    ObjectKey claim = ObjectKey.of("ns", "c" + i);
    ObjectKey volume = ObjectKey.cluster("v" + i);
    if (server.find(Kind.CLAIM, claim) == null) {
      note.accept("user: c" + i + " and its volume are there again");
      volume(i);
    } else if (isUnused(i)) {
      note.accept("user: c" + i + " and its volume go");
      for (Kind<?> kind : List.of(Kind.CLAIM, Kind.VOLUME)) {
        ObjectKey key = kind.equals(Kind.CLAIM) ? claim : volume;
        server.change(kind, key, "{'metadata':{'finalizers':null}}");
        server.deleteNow(kind, key);
      }
    }
  }

  private boolean isUnused(int i) {
    String handle = "h" + i;
    return server.all(Kind.POD).stream().noneMatch(pod -> handle(pod).equals(handle))
        && server.all(Kind.ATTACHMENT).stream().noneMatch(a -> a.volumeName().equals("v" + i))
        && published.stream().noneMatch(at -> at.handle().equals(handle))
        && mounted.stream().noneMatch(at -> at.handle().equals(handle));
  }

  /** A node dies, is given up by the lifecycle controller, is declared dead, or comes back. */
  void node(String name) {
    ObjectKey key = ObjectKey.cluster(name);
    if (!dead.contains(name)) {
      note.accept("node: " + name + " does not answer any more");
      dead.add(name);
      return;
    }
    switch (random.nextInt(removed == Removed.NODES ? 4 : 3)) {
      case 3 -> {
        note.accept("node: " + name + " is removed");
        server.deleteNow(Kind.NODE, key);
      }
      case 0 -> {
        note.accept("node: " + name + " is not ready");
        ready(name, "Unknown");
      }
      case 1 -> {
        note.accept("node: " + name + " is off, and declared out of service");
        mounted.removeIf(at -> at.node().equals(name));
        ready(name, "Unknown");
        server.change(
            Kind.NODE,
            key,
            "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','value':'x','effect':'NoExecute'}]}}");
      }
      default -> revive(name);
    }
  }

  /** A kubelet that comes back finds out what it has lost before it goes on. */
  private void revive(String name) {
    note.accept("node: " + name + " is back");
    dead.remove(name);
    mounted.removeIf(at -> at.node().equals(name) && forced.contains(at));
    forced.removeIf(at -> at.node().equals(name));
    if (server.find(Kind.NODE, ObjectKey.cluster(name)) == null) {
      register(name);
      Set<String> inUse = new TreeSet<>();
      mounted.stream()
          .filter(at -> at.node().equals(name))
          .forEach(at -> inUse.add(unique(at.handle())));
      report(name, inUse);
    }
    server.change(Kind.NODE, ObjectKey.cluster(name), "{'spec':{'taints':null}}");
    ready(name, "True");
  }

  static String handle(Pod pod) {
    return "h" + pod.claims().getFirst().substring(1);
  }

  static String unique(String handle) {
    return "kubernetes.io/csi/d^" + handle;
  }

  /** One step of a kubelet: it marks a volume in use before it mounts it, and after unmounts. */
  void kubelet(String name) {
    Node node = server.find(Kind.NODE, ObjectKey.cluster(name));
    if (dead.contains(name) || node == null) {
      return;
    }
    Set<String> wanted = new TreeSet<>();
    for (Pod pod : server.all(Kind.POD)) {
      if (pod.nodeName().equals(name) && !pod.meta().isBeingDeleted()) {
        wanted.add(handle(pod));
      }
    }
    Set<String> inUse = new TreeSet<>(node.volumesInUse());
    List<Runnable> steps = new ArrayList<>();
    for (int i = 0; i < VOLUMES; i++) {
      String handle = "h" + i;
      At at = new At(name, handle);
      boolean wants = wanted.contains(handle);
      boolean marked = inUse.contains(unique(handle));
      boolean has = mounted.contains(at);
      if (wants && !marked && !has) {
        steps.add(() -> mark(name, inUse, handle, true));
      } else if (wants && marked && !has && node.volumesAttached().containsKey(unique(handle))) {
        steps.add(() -> mount(at));
      } else if (!wants && has) {
        steps.add(() -> unmount(at));
      } else if (!wants && marked && !has) {
        steps.add(() -> mark(name, inUse, handle, false));
      }
    }
    for (Pod pod : server.all(Kind.POD)) {
      boolean kept = mounted.contains(new At(name, handle(pod))) && !wanted.contains(handle(pod));
      if (pod.nodeName().equals(name) && pod.meta().isBeingDeleted() && !kept) {
        steps.add(() -> server.deleteNow(Kind.POD, pod.key()));
      }
    }
    if (!steps.isEmpty()) {
      any(steps).run();
    }
  }

  private void mark(String node, Set<String> inUse, String handle, boolean used) {
    if (used) {
      inUse.add(unique(handle));
    } else {
      inUse.remove(unique(handle));
    }
    report(node, inUse);
  }

  private void report(String node, Set<String> inUse) {
    note.accept("kubelet: " + node + " uses " + inUse);
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'volumesInUse':"
            + (inUse.isEmpty() ? "null" : "['" + String.join("','", inUse) + "']")
            + "}}");
  }

  private void mount(At at) {
    if (!published.contains(at)) {
      note.accept("kubelet: cannot mount " + at);
      return; // the device is not there
    }
    note.accept("kubelet: mounts " + at);
    mounted.add(at);
    mounts++;
    check();
  }

  private void unmount(At at) {
    note.accept("kubelet: unmounts " + at);
    mounted.remove(at);
  }

  /** One step of the driver's attacher: it does what it is asked, or fails before or after. */
  void driver() {
    List<Attachment> all = server.all(Kind.ATTACHMENT);
    if (all.isEmpty()) {
      return;
    }
    Attachment attachment = any(all);
    String handle = "h" + attachment.volumeName().substring(1);
    At at = new At(attachment.nodeName(), handle);
    int luck = calm ? 99 : random.nextInt(100);
    if (attachment.meta().isBeingDeleted()) {
      detach(attachment, at, luck);
    } else if (!attachment.attached()) {
      attach(attachment, at, luck);
    }
  }

  private void attach(Attachment attachment, At at, int luck) {
    if (server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName())) == null) {
      refuse(attachment); // as it finds out before it puts its finalizer there
      return;
    }
    if (attachment.meta().finalizers().isEmpty()) {
      server.change(
          Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':['external-attacher/d']}}");
      return;
    }
    if (isAnyWriteLate() && isElsewhere(at)) {
      // two writes under way at once: nobody but the storage can see that
      refuse(attachment);
      return;
    }
    if (luck < 15) {
      note.accept("driver: fails to attach " + at);
      attachError(attachment);
    } else if (luck < 30) {
      note.accept("driver: attaches " + at + " and says that it failed");
      published.add(at);
      attachError(attachment);
    } else {
      note.accept("driver: attaches " + at);
      published.add(at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'attached':true,'attachError':null}}");
    }
    check();
  }

  private boolean isAnyWriteLate() {
    return removed == Removed.VOLUMES || removed == Removed.ATTACHMENTS_UNDER_WAY;
  }

  /** Whether it is attached to another node, and may be to one only. */
  boolean isElsewhere(At at) {
    return !isShared(at.handle())
        && published.stream()
            .anyMatch(other -> other.handle().equals(at.handle()) && !other.equals(at));
  }

  /** Says no, once. */
  private void refuse(Attachment attachment) {
    if (attachment.attachError().isEmpty()) {
      note.accept("driver: refuses " + attachment.volumeName() + " on " + attachment.nodeName());
      attachError(attachment);
    }
  }

  private void attachError(Attachment attachment) {
    server.changeStatus(
        Kind.ATTACHMENT,
        attachment.key(),
        "{'status':{'attached':false,'attachError':{'message':'no luck'}}}");
  }

  private void detach(Attachment attachment, At at, int luck) {
    if (luck < 15) {
      note.accept("driver: fails to detach " + at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
      return;
    }
    note.accept("driver: detaches " + at + (luck < 30 ? " and says that it failed" : ""));
    published.remove(at);
    if (luck < 30) {
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }

  /**
   * Somebody writes nonsense into a node's status. What is there stays if attachments are removed:
   * who removes both while the controller is down has hidden from it what is mounted.
   */
  void meddle() {
    String name = "n" + random.nextInt(NODES);
    note.accept("user: writes into the status of " + name);
    Set<String> list = new TreeSet<>(Set.of("nonsense/nonsense/x", unique("none")));
    Node node = server.find(Kind.NODE, ObjectKey.cluster(name));
    if (removed != Removed.NOTHING && node != null) {
      list.addAll(node.volumesAttached().keySet());
    }
    List<String> entries = list.stream().map("{'name':'%s','devicePath':''}"::formatted).toList();
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(name),
        "{'status':{'volumesAttached':[" + String.join(",", entries) + "]}}");
  }

  /** All is well from now on, and nobody fails. */
  void calm() {
    calm = true;
    for (int i = 0; i < NODES; i++) {
      revive("n" + i);
    }
  }

  /** Whether attachments are removed while they are needed. */
  boolean removesAttachments() {
    return removed == Removed.ATTACHMENTS || removed == Removed.ATTACHMENTS_UNDER_WAY;
  }

  /** Every pod is told to end. */
  void deletePods() {
    note.accept("user: delete all pods");
    server.all(Kind.POD).forEach(pod -> server.delete(Kind.POD, pod.key()));
  }

  /** The controller has taken it by force, and says so. */
  void takenByForce(String node, String handle) {
    forced.add(new At(node, handle));
  }

  /** Whether nobody fails any more. */
  boolean isCalm() {
    return calm;
  }

  /** How often a volume was mounted. */
  int mounts() {
    return mounts;
  }

  /** What the storage lets whom write to. */
  Set<At> published() {
    return published;
  }

  /** What nodes write to. */
  Set<At> mounted() {
    return mounted;
  }
}
