package dev.mooring.it.sim;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Users, the scheduler and the garbage collectors of a {@link AllControllersWorkload}. */
final class SimUsers {
  private static final int CLAIMS = 5;
  private static final int PODS = 5;
  private static final int VOLUMES = 4;

  /** Claim whose volumes allow many nodes. */
  private static final String SHARED = "c" + (CLAIMS - 1);

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final SimNodes nodes;
  private final Provisioners provisioners;

  /** Provisioners of the claims that users create. */
  enum Provisioners {
    PLUGIN(List.of("made", "later", ""), List.of("made")),
    DRIVER(List.of("driven", "driven-later"), List.of("driven")),
    BOTH(
        List.of("made", "later", "", "driven", "driven", "driven-later"),
        List.of("made", "driven"));

    private final List<String> classes;
    private final List<String> immediate;

    Provisioners(List<String> classes, List<String> immediate) {
      this.classes = classes;
      this.immediate = immediate;
    }

    /**
     * Returns the provisioners of a schedule.
     *
     * @param driver whether there is a CSI driver
     * @param alone whether the CSI driver is then the only provisioner
     */
    static Provisioners of(boolean driver, boolean alone) {
      return !driver ? PLUGIN : alone ? DRIVER : BOTH;
    }
  }

  /** Creates the storage classes. */
  SimUsers(Simulation simulation, SimNodes nodes, Provisioners provisioners) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.nodes = nodes;
    this.provisioners = provisioners;
    storageClasses("made", "later", SimStorage.NAME);
    if (provisioners != Provisioners.PLUGIN) {
      storageClasses("driven", "driven-later", SimCsiDriver.NAME);
    }
  }

  private void storageClasses(String immediate, String delayed, String provisioner) {
    storageClass(immediate, provisioner, "Immediate");
    storageClass(delayed, provisioner, "WaitForFirstConsumer");
  }

  private void storageClass(String name, String provisioner, String mode) {
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'%s'},'provisioner':'%s','reclaimPolicy':'Delete','allowVolumeExpansion':true,'volumeBindingMode':'%s'}"
            .formatted(name, provisioner, mode));
  }

  /** Returns whether the claim's class has the binding mode WaitForFirstConsumer. */
  static boolean waitsForPod(Claim claim) {
    return claim.className().endsWith("later");
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("ns", name);
  }

  /** Lets a user take one random step. */
  void act() {
    String claim = "c" + random.nextInt(CLAIMS);
    String pod = "p" + random.nextInt(PODS);
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> createClaim(claim);
      case 3 -> {
        simulation.addToHistory("user: delete claim " + claim);
        server.delete(Kind.CLAIM, key(claim));
      }
      case 4, 5, 6, 7 -> createPod(pod, claim);
      case 8 -> {
        simulation.addToHistory("user: delete pod " + pod);
        server.delete(Kind.POD, key(pod));
      }
      case 9, 10 -> expand(claim);
      case 11 -> createVolume("s" + random.nextInt(VOLUMES));
      case 12 -> {
        List<Volume> volumes = server.list(Kind.VOLUME);
        if (!volumes.isEmpty()) {
          deleteVolume(simulation.pick(volumes));
        }
      }
      default -> {
        Pod existingPod = server.find(Kind.POD, key(pod));
        if (existingPod != null && nodes.isUnresponsive(existingPod.nodeName())) {
          simulation.addToHistory("user: force-delete pod " + pod);
          server.deleteNow(Kind.POD, existingPod.key());
        }
      }
    }
  }

  private void createClaim(String name) {
    boolean shared = name.equals(SHARED);
    String storageClass =
        shared ? provisioners.immediate.getLast() : simulation.pick(provisioners.classes);
    int size = 1 + random.nextInt(3);
    simulation.addToHistory(
        "user: claim " + name + " of class '" + storageClass + "', " + size + "Gi");
    server.create(
        Kind.CLAIM,
        "ns",
        "{'metadata':{'name':'%s'},'spec':{'accessModes':['%s'],'storageClassName':'%s','resources':{'requests':{'storage':'%dGi'}}}}"
            .formatted(name, shared ? "ReadWriteMany" : "ReadWriteOnce", storageClass, size));
  }

  private void createPod(String name, String claim) {
    boolean ephemeral = random.nextInt(3) == 0;
    simulation.addToHistory(
        "user: pod " + name + " with " + claim + (ephemeral ? " and an ephemeral volume" : ""));
    String ephemeralVolume =
        ",{'name':'e','ephemeral':{'volumeClaimTemplate':{'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','resources':{'requests':{'storage':'1Gi'}}}}}}"
            .formatted(
                provisioners.immediate.size() == 1
                    ? provisioners.immediate.getFirst()
                    : simulation.pick(provisioners.immediate));
    server.create(
        Kind.POD,
        "ns",
        "{'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}%s]}}"
            .formatted(name, claim, ephemeral ? ephemeralVolume : ""));
  }

  private void expand(String name) {
    Claim claim = server.find(Kind.CLAIM, key(name));
    if (claim != null && claim.phase() == ClaimPhase.BOUND) {
      long size = claim.request().toBytesCeiling() / SimStorage.GIB + 1;
      simulation.addToHistory("user: claim " + name + " requests " + size + "Gi");
      server.change(
          Kind.CLAIM,
          claim.key(),
          "{'spec':{'resources':{'requests':{'storage':'" + size + "Gi'}}}}");
    }
  }

  private void createVolume(String name) {
    if (provisioners == Provisioners.DRIVER) {
      return;
    }
    int size = 1 + random.nextInt(3);
    simulation.addToHistory("user: volume " + name + ", " + size + "Gi");
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%dGi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'%s'}}}"
            .formatted(name, size, SimStorage.pathOf(name)));
  }

  /**
   * Deletes a volume, unless its claim is Pending and would wait for ever. Static volumes are
   * deleted only at the end: if the manager is killed during a detach and the volume is gone, no
   * object records that the node has it.
   */
  private void deleteVolume(Volume volume) {
    ClaimRef ref = volume.claimRef();
    Claim claim = ref == null ? null : server.find(Kind.CLAIM, ref.claim());
    if (!isStatic(volume) && (claim == null || claim.phase() != ClaimPhase.PENDING)) {
      simulation.addToHistory("user: delete volume " + volume.key());
      server.delete(Kind.VOLUME, volume.key());
    }
  }

  private static boolean isStatic(Volume volume) {
    return volume.meta().name().startsWith("s");
  }

  private List<Pod> unscheduled() {
    return server.list(Kind.POD).stream()
        .filter(pod -> pod.nodeName().isEmpty() && !pod.meta().isBeingDeleted())
        .toList();
  }

  /** Lets the scheduler process every pod without a node. */
  void scheduleAll() {
    unscheduled().forEach(this::schedule);
  }

  /** Lets the scheduler process one pod without a node. */
  void schedule() {
    List<Pod> waiting = unscheduled();
    if (!waiting.isEmpty()) {
      schedule(simulation.pick(waiting));
    }
  }

  private void schedule(Pod pod) {
    String node = nodes.pick();
    if (nodes.isUnresponsive(node)) {
      return;
    }
    if (SimKubelets.volumes(server, pod).isPresent()) {
      simulation.addToHistory("scheduler: " + pod.key() + " on " + node);
      server.bind(pod.key(), node);
      return;
    }
    for (String name : pod.claims()) {
      Claim claim = server.find(Kind.CLAIM, key(name));
      if (claim != null
          && waitsForPod(claim)
          && claim.phase() == ClaimPhase.PENDING
          && !claim.meta().isBeingDeleted()
          && !claim.meta().hasAnnotation(BinderActors.SELECTED_NODE)) {
        simulation.addToHistory("scheduler: " + claim.key() + " gets the selected node " + node);
        server.change(
            Kind.CLAIM,
            claim.key(),
            "{'metadata':{'annotations':{'" + BinderActors.SELECTED_NODE + "':'" + node + "'}}}");
      }
    }
  }

  /**
   * Acts as the garbage collectors: deletes pods without a node object and claims without their
   * owner.
   */
  void collectGarbage() {
    for (Pod pod : server.list(Kind.POD)) {
      if (!pod.nodeName().isEmpty()
          && server.find(Kind.NODE, ObjectKey.cluster(pod.nodeName())) == null) {
        simulation.addToHistory("collector: " + pod.key() + " of " + pod.nodeName());
        server.deleteNow(Kind.POD, pod.key());
      }
    }
    Set<Uid> pods = new HashSet<>();
    server.list(Kind.POD).forEach(pod -> pods.add(pod.meta().uid()));
    for (Claim claim : server.list(Kind.CLAIM)) {
      Uid owner = claim.meta().controller();
      if (!owner.isNone() && !pods.contains(owner) && !claim.meta().isBeingDeleted()) {
        simulation.addToHistory("collector: " + claim.key());
        server.delete(Kind.CLAIM, claim.key());
      }
    }
  }

  void deletePods() {
    server.list(Kind.POD).forEach(pod -> server.delete(Kind.POD, pod.key()));
  }

  /** Deletes all pods, claims and static volumes. */
  void deleteAll() {
    simulation.addToHistory("user: delete everything");
    deletePods();
    server.list(Kind.CLAIM).forEach(claim -> server.delete(Kind.CLAIM, claim.key()));
    server.list(Kind.VOLUME).stream()
        .filter(SimUsers::isStatic)
        .forEach(volume -> server.delete(Kind.VOLUME, volume.key()));
  }
}
