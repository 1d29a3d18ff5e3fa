package dev.mooring.it.sim;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * One seeded schedule of pods that come, go and move, kubelets that are slow or dead, a driver that
 * fails, lags and lies, and a controller that crashes. After every step no exclusive volume may be
 * on two nodes, but where one was taken by force on record.
 */
final class AttachWorld implements Outside {
  private static final int STEPS = 500;
  private static final int NODES = 3;
  private static final int VOLUMES = 3;
  private static final int PODS = 5;

  /** A volume on a node. */
  record At(String node, String handle) {}

  private final Random random;
  private final Baton baton = new Baton();
  private final SimClock clock = new SimClock(baton);
  private final SimServer server;
  private final Deque<String> history = new ArrayDeque<>();
  private final Set<At> published = new HashSet<>(); // what the storage lets whom write to
  private final Set<At> mounted = new HashSet<>(); // what nodes write to
  private final Set<At> forced = new HashSet<>(); // what was taken by force on record
  private final Set<String> dead = new HashSet<>();
  private AttachProcess process;
  private boolean calm;
  private int mounts;
  private int forcedDetaches;

  AttachWorld(long seed) {
    random = new Random(seed);
    server = new SimServer(random, clock);
    for (int i = 0; i < NODES; i++) {
      server.create(
          Kind.NODE,
          "",
          "{'metadata':{'name':'n%d','annotations':{'volumes.kubernetes.io/controller-managed-attach-detach':'true'}}}"
              .formatted(i));
      ready("n" + i, "True");
    }
    for (int i = 0; i < VOLUMES; i++) {
      volume(i);
    }
    process = new AttachProcess(this, server);
  }

  /** The last volume may be on many nodes at once. */
  private static boolean isShared(String handle) {
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

  Baton baton() {
    return baton;
  }

  SimClock clock() {
    return clock;
  }

  @Override
  public void point() {
    baton.point();
  }

  @Override
  public Fault fault() {
    int chance = calm ? 99 : random.nextInt(100);
    return chance < 3 ? Fault.LOST : chance < 6 ? Fault.ANSWER_LOST : Fault.NONE;
  }

  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    // without times: deletions bear those of the wall clock
    if (result instanceof WriteResult.Written<T>(T now) && now instanceof Attachment attachment) {
      note(
          "write: attachment of "
              + attachment.volumeName()
              + " to "
              + attachment.nodeName()
              + (attachment.meta().isBeingDeleted() ? ", deleted" : ""));
    } else if (result instanceof WriteResult.Written<T>(T now) && now instanceof Node node) {
      note(
          "write: "
              + node.meta().name()
              + " lists "
              + new TreeSet<>(node.volumesAttached().keySet()));
    }
  }

  /** What the controller tells. */
  void event(ClusterEvent event) {
    note("event: " + event.about().name() + " " + event.reason() + " " + event.note());
    if (event.reason().equals("VolumeForceDetached")) {
      for (int i = 0; i < VOLUMES; i++) {
        if (event.note().contains("^h" + i + " ")) {
          forcedDetaches++;
          forced.add(new At(event.about().name(), "h" + i));
        }
      }
    }
  }

  int mounts() {
    return mounts;
  }

  int forcedDetaches() {
    return forcedDetaches;
  }

  String history() {
    return String.join("\n", history);
  }

  private void note(String what) {
    history.addLast(clock.now() / 1_000_000 + " " + what);
    if (history.size() > 150) {
      history.removeFirst();
    }
  }

  private static void verify(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** Runs the whole schedule. */
  void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      check();
    }
    settle();
    checkEnd();
    process.end();
  }

  private void check() {
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
      for (At at : published) {
        if (at.handle().equals(handle)) {
          nodes.add(at.node());
        }
      }
      verify(nodes.size() <= 1, handle + " is on " + nodes + ", taken by force: " + forced);
    }
  }

  private void step() {
    int what = random.nextInt(1000);
    if (what < 380) {
      resumeOne();
    } else if (what < 600) {
      any(process.watches()).deliver();
    } else if (what < 740) {
      process.work(random.nextInt(3));
    } else if (what < 830) {
      kubelet("n" + random.nextInt(NODES));
    } else if (what < 900) {
      driver();
    } else if (what < 945) {
      user();
    } else if (what < 975) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * 1_000_000L);
    } else if (what < 985) {
      node("n" + random.nextInt(NODES));
    } else if (what < 990) {
      any(process.watches()).gap();
    } else if (what < 994) {
      crash();
    } else {
      meddle();
    }
  }

  private <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private boolean resumeOne() {
    List<Baton.Task> ready = baton.ready(clock.now());
    if (ready.isEmpty()) {
      return false;
    }
    baton.resume(any(ready));
    return true;
  }

  private void crash() {
    note("crash");
    process.end();
    process = new AttachProcess(this, server);
  }

  private void user() {
    String pod = "p" + random.nextInt(PODS);
    switch (random.nextInt(5)) {
      case 0, 1, 2 -> {
        String node = "n" + random.nextInt(NODES);
        int volume = random.nextInt(VOLUMES);
        note("user: pod " + pod + " with c" + volume + " on " + node);
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
        note("user: delete pod " + pod);
        server.delete(Kind.POD, ObjectKey.of("ns", pod));
      }
      default -> {
        Pod found = server.find(Kind.POD, ObjectKey.of("ns", pod));
        // somebody who knows that the node is dead
        if (found != null && dead.contains(found.nodeName())) {
          note("user: force-delete pod " + pod);
          server.deleteNow(Kind.POD, found.key());
        }
      }
    }
  }

  /** A node dies, is given up by the lifecycle controller, is declared dead, or comes back. */
  private void node(String name) {
    ObjectKey key = ObjectKey.cluster(name);
    if (!dead.contains(name)) {
      note("node: " + name + " does not answer any more");
      dead.add(name);
      return;
    }
    switch (random.nextInt(3)) {
      case 0 -> {
        note("node: " + name + " is not ready");
        ready(name, "Unknown");
      }
      case 1 -> {
        note("node: " + name + " is off, and declared out of service");
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
    note("node: " + name + " is back");
    dead.remove(name);
    mounted.removeIf(at -> at.node().equals(name) && forced.contains(at));
    forced.removeIf(at -> at.node().equals(name));
    server.change(Kind.NODE, ObjectKey.cluster(name), "{'spec':{'taints':null}}");
    ready(name, "True");
  }

  private static String handle(Pod pod) {
    return "h" + pod.claims().getFirst().substring(1);
  }

  private static String unique(String handle) {
    return "kubernetes.io/csi/d^" + handle;
  }

  /** One step of a kubelet: it marks a volume in use before it mounts it, and after unmounts. */
  private void kubelet(String name) {
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
    note("kubelet: " + node + " uses " + inUse);
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'volumesInUse':"
            + (inUse.isEmpty() ? "null" : "['" + String.join("','", inUse) + "']")
            + "}}");
  }

  private void mount(At at) {
    if (!published.contains(at)) {
      note("kubelet: cannot mount " + at);
      return; // the device is not there
    }
    note("kubelet: mounts " + at);
    mounted.add(at);
    mounts++;
    check();
  }

  private void unmount(At at) {
    note("kubelet: unmounts " + at);
    mounted.remove(at);
  }

  /** One step of the driver's attacher: it does what it is asked, or fails before or after. */
  private void driver() {
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
    if (attachment.meta().finalizers().isEmpty()) {
      server.change(
          Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':['external-attacher/d']}}");
      return;
    }
    if (luck < 15) {
      note("driver: fails to attach " + at);
      attachError(attachment);
    } else if (luck < 30) {
      note("driver: attaches " + at + " and says that it failed");
      published.add(at);
      attachError(attachment);
    } else {
      note("driver: attaches " + at);
      published.add(at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'attached':true,'attachError':null}}");
    }
    check();
  }

  private void attachError(Attachment attachment) {
    server.changeStatus(
        Kind.ATTACHMENT,
        attachment.key(),
        "{'status':{'attached':false,'attachError':{'message':'no luck'}}}");
  }

  private void detach(Attachment attachment, At at, int luck) {
    if (luck < 15) {
      note("driver: fails to detach " + at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
      return;
    }
    note("driver: detaches " + at + (luck < 30 ? " and says that it failed" : ""));
    published.remove(at);
    if (luck < 30) {
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }

  /** Somebody writes nonsense into a node's status. */
  private void meddle() {
    String node = "n" + random.nextInt(NODES);
    note("user: writes into the status of " + node);
    server.changeStatus(
        Kind.NODE,
        ObjectKey.cluster(node),
        "{'status':{'volumesAttached':[{'name':'nonsense/nonsense/x','devicePath':''}]}}");
  }

  /** All is well, nobody does anything any more: until nothing happens. */
  private void settle() {
    calm = true;
    for (int i = 0; i < NODES; i++) {
      revive("n" + i);
    }
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      verify(round < 100, "does not come to rest");
      long before = server.store(Kind.NODE).version();
      drain();
      clock.advance(130_000_000_000L);
      drain();
      quiet = server.store(Kind.NODE).version() == before ? quiet + 1 : 0;
    }
  }

  private void drain() {
    for (int round = 0, idle = 0; idle < 30; round++) {
      verify(round < 20_000, "work without end");
      long before = server.store(Kind.NODE).version();
      boolean some = resumeOne();
      for (SimWatch<?> watch : process.watches()) {
        while (watch.deliver()) {
          some = true;
        }
      }
      for (int queue = 0; queue < 3; queue++) {
        some |= process.work(queue);
      }
      kubelet("n" + random.nextInt(NODES));
      driver();
      check();
      some |= server.store(Kind.NODE).version() != before;
      if (!some) {
        clock.advance(50_000_000);
      }
      idle = some || process.hasWork() ? 0 : idle + 1;
    }
  }

  /** What pods use is where they run, and nothing is anywhere else. */
  private void checkEnd() {
    Set<At> wanted = new HashSet<>();
    for (Pod pod : server.all(Kind.POD)) {
      wanted.add(new At(pod.nodeName(), handle(pod)));
    }
    Set<At> attached = new HashSet<>();
    for (Attachment attachment : server.all(Kind.ATTACHMENT)) {
      At at = new At(attachment.nodeName(), "h" + attachment.volumeName().substring(1));
      verify(attachment.attached() && !attachment.meta().isBeingDeleted(), "left: " + attachment);
      attached.add(at);
    }
    verify(attached.equals(published), "attached " + attached + ", published " + published);
    verify(wanted.containsAll(attached), "dangling: " + attached + ", wanted " + wanted);
    verify(mounted.equals(attached), "mounted " + mounted + ", attached " + attached);
    for (At at : wanted) {
      boolean there =
          isShared(at.handle())
              ? attached.contains(at)
              : attached.stream().anyMatch(a -> a.handle().equals(at.handle()));
      verify(there, at + " waits, attached are " + attached);
    }
    for (Node node : server.all(Kind.NODE)) {
      Set<String> expected = new TreeSet<>();
      attached.stream()
          .filter(at -> at.node().equals(node.meta().name()))
          .forEach(at -> expected.add(unique(at.handle())));
      verify(
          expected.equals(new TreeSet<>(node.volumesAttached().keySet())),
          node + " ought to list " + expected);
    }
  }
}
