package dev.mooring.it.sim;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.VolumeService;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All actors of a {@link CsiWorkload} except our processes and the driver: users, administrators,
 * the scheduler, the attach/detach controller and the protection controllers.
 */
final class CsiActors {
  private static final int CLAIMS = 6;
  private static final int ADDED_CLAIMS = 3;

  /** A claim of another namespace that names a claim here as its source, without a grant. */
  static final String FOREIGN_COPY = "foreign-copy";

  /** A claim whose selected node is removed while its volume is being provisioned. */
  private static final String MOVED = "moved";

  private static final String TAKEN = "taken";
  private static final String CLONING = "provisioner.storage.kubernetes.io/cloning-protection";
  static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final long GIB = CsiDriverStorage.GIB;

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final CsiDriverStorage storage;
  private final Consumer<Claim> onChange;
  // node of the pod that uses the claim, by claim
  private final Map<String, String> podNodes = new TreeMap<>();
  private final ClassAdministrator classes;
  private final CsiNodes nodes;
  private long createdClaims;
  private int takenNames;
  private boolean foreignCopy;
  private int staticVolumes;
  private long replaced;

  /**
   * Creates the actors of one schedule.
   *
   * @param onChange called with every claim that an actor changes
   */
  CsiActors(Simulation simulation, CsiDriverStorage storage, Consumer<Claim> onChange) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.storage = storage;
    this.onChange = onChange;
    this.classes = new ClassAdministrator(simulation, onChange);
    this.nodes = new CsiNodes(simulation);
  }

  /** Creates the initial nodes, classes and volumes. */
  void createInitialObjects() {
    nodes.createAll();
    server.create(Kind.SECRET, "ns", "{'metadata':{'name':'keys'}}");
    classes.createClasses();
    foreignCopy = random.nextBoolean();
    if (foreignCopy) {
      server.installGrants();
      server.create(
          Kind.CLAIM,
          SimServer.RIVAL,
          "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'now','resources':{'requests':{'storage':'9Gi'}}}}"
              .formatted(FOREIGN_COPY));
      server.addSource(ObjectKey.of(SimServer.RIVAL, FOREIGN_COPY), key("late"));
    }
    for (String name : List.of("gold", "silver")) {
      server.create(
          Kind.ATTRIBUTES_CLASS,
          "",
          "{'metadata':{'name':'%s'},'driverName':'d','parameters':{'iops':'%s'}}"
              .formatted(name, name));
    }
    storage.addForeign("foreign", GIB);
  }

  /**
   * Returns whether a claim of another namespace names a claim here as its source, without a grant.
   */
  boolean hasForeignCopy() {
    return foreignCopy;
  }

  /** Returns the number of claims created. */
  long createdCount() {
    return createdClaims;
  }

  private static ObjectKey key(String claim) {
    return ObjectKey.of("ns", claim);
  }

  /** Lets one actor take one random step. */
  void act() {
    classes.act();
    String name = "c" + random.nextInt(CLAIMS);
    Claim claim = server.find(Kind.CLAIM, key(name));
    if (claim == null) {
      createRandom(name);
      return;
    }
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> use(name);
      case 3, 4 -> podNodes.remove(name);
      case 5, 6 -> grow(claim);
      case 7 -> modify(claim, random.nextBoolean() ? "gold" : "silver");
      case 8, 9 -> delete(claim);
      case 10 -> createStaticVolume();
      case 11 -> replaceNode();
      case 12 -> replaceVolume(claim);
      case 13 -> takeName(claim);
      case 14 -> removeOrRegisterNode();
      default -> {
        simulation.addToHistory("user: label on " + name);
        onChange.accept(claim);
        label(claim);
      }
    }
  }

  private void createRandom(String name) {
    String attributes = random.nextInt(4) == 0 ? ",'volumeAttributesClassName':'gold'" : "";
    String copied = "c" + random.nextInt(CLAIMS);
    boolean copies = random.nextInt(6) == 0 && !copied.equals(name);
    String source =
        copies ? ",'dataSource':{'kind':'PersistentVolumeClaim','name':'" + copied + "'}" : "";
    String storageClass = random.nextInt(3) == 0 ? "later" : "now";
    int size = (copies ? 4 : 1) + random.nextInt(3);
    create(name, storageClass, size, attributes + source);
  }

  private void create(String name, String storageClass, int size, String specMembers) {
    simulation.addToHistory(
        "user: claim %s of class %s, %dGi%s".formatted(name, storageClass, size, specMembers));
    server.create(
        Kind.CLAIM,
        "ns",
        "{'metadata':{'name':'%s','labels':{'app':'%s'}},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','resources':{'requests':{'storage':'%dGi'}}%s}}"
            .formatted(
                name, name.hashCode() % 2 == 0 ? "db" : "web", storageClass, size, specMembers));
    Claim created = server.find(Kind.CLAIM, key(name));
    if (created != null) {
      createdClaims++;
      simulation.addToHistory("its uid is " + created.meta().uid());
    }
  }

  private void use(String name) {
    podNodes.computeIfAbsent(
        name,
        n -> {
          String node = nodes.pick();
          simulation.addToHistory("user: a pod on " + node + " uses " + name);
          return node;
        });
  }

  private void grow(Claim claim) {
    long size = claim.request().toBytesCeiling() / GIB + 1;
    simulation.addToHistory("user: " + claim.key() + " requests " + size + "Gi");
    onChange.accept(claim);
    server.change(
        Kind.CLAIM,
        claim.key(),
        "{'spec':{'resources':{'requests':{'storage':'" + size + "Gi'}}}}");
  }

  private void modify(Claim claim, String attributesClass) {
    simulation.addToHistory("user: " + claim.key() + " requests class " + attributesClass);
    onChange.accept(claim);
    server.change(
        Kind.CLAIM,
        claim.key(),
        "{'spec':{'volumeAttributesClassName':'" + attributesClass + "'}}");
  }

  private void delete(Claim claim) {
    simulation.addToHistory("user: delete claim " + claim.key());
    onChange.accept(claim);
    if (random.nextInt(3) > 0) {
      podNodes.remove(claim.key().name());
    }
    server.delete(Kind.CLAIM, claim.key());
  }

  /** Creates a static volume, which may be bound to a claim. */
  private void createStaticVolume() {
    String name = "static-" + staticVolumes++;
    int size = 1 + random.nextInt(8);
    simulation.addToHistory("user: volume " + name + " " + size + "Gi");
    storage.addForeign(name, size * GIB);
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%dGi'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Delete','storageClassName':'now','csi':{'driver':'d','volumeHandle':'%s'}}}"
            .formatted(name, size, name));
  }

  private void replaceNode() {
    String node = nodes.pick();
    server.list(Kind.ATTACHMENT).stream()
        .filter(attachment -> attachment.nodeName().equals(node))
        .forEach(attachment -> changeClaimOf(attachment.volumeName()));
    nodes.replace(node);
  }

  private void removeOrRegisterNode() {
    if (nodes.removed().isEmpty()) {
      removeNode(nodes.pick());
    } else {
      registerNode();
    }
  }

  /** Pods that wait for their volume move to other nodes; other pods on the node end. */
  private void removeNode(String node) {
    server.list(Kind.CLAIM).forEach(onChange);
    nodes.remove(node);
    for (Claim claim : server.list(Kind.CLAIM)) {
      String name = claim.key().name();
      if (node.equals(podNodes.get(name))) {
        podNodes.remove(name);
        if (claim.phase() != ClaimPhase.BOUND) {
          use(name);
        }
      }
    }
  }

  /** Registers the removed node again, if there is one. */
  void registerNode() {
    if (!nodes.removed().isEmpty()) {
      server.list(Kind.CLAIM).forEach(onChange);
      nodes.register();
    }
  }

  /** Removes the node that the scheduler selected for the claim {@link #MOVED}. */
  void removeNodeOfMovedClaim() {
    Claim claim = server.find(Kind.CLAIM, key(MOVED));
    String node = claim == null ? "" : claim.meta().annotation(SELECTED_NODE);
    if (!node.isEmpty() && !node.equals(nodes.removed())) {
      registerNode();
      removeNode(node);
    }
  }

  CsiNodes nodes() {
    return nodes;
  }

  /**
   * Fault: an administrator deletes a volume by force, and creates it again with another handle.
   */
  private void replaceVolume(Claim claim) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
    if (volume == null
        || !volume.meta().name().startsWith("static-")
        || volume.meta().isBeingDeleted()
        || claim.meta().isBeingDeleted()
        || !claim.attributesClass().isEmpty()
        || volume.claimRef() == null
        || !volume.claimRef().uid().equals(claim.meta().uid())) {
      return;
    }
    String handle = volume.meta().name() + "." + staticVolumes++;
    simulation.addToHistory("user: " + volume.key() + " has the handle " + handle);
    onChange.accept(claim);
    long bytes = volume.storage().toBytesCeiling();
    storage.addForeign(handle, bytes);
    storage.items.get(handle).assigned = true;
    server.change(Kind.VOLUME, volume.key(), "{'metadata':{'finalizers':null}}");
    server.delete(Kind.VOLUME, volume.key());
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%d'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Delete','storageClassName':'now','csi':{'driver':'d','volumeHandle':'%s'},'claimRef':{'namespace':'ns','name':'%s','uid':'%s'}}}"
            .formatted(
                volume.meta().name(), bytes, handle, claim.key().name(), claim.meta().uid()));
    replaced++;
  }

  /** Fault: an administrator creates a volume with the name that the claim's volume will have. */
  private void takeName(Claim claim) {
    if (claim.phase() != ClaimPhase.PENDING || claim.meta().isBeingDeleted()) {
      return;
    }
    String handle = "taken-" + takenNames++;
    String name = "pvc-" + claim.meta().uid();
    simulation.addToHistory("user: volume " + name + " has the handle " + handle);
    storage.addForeign(handle, GIB);
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Retain','storageClassName':'%s','csi':{'driver':'d','volumeHandle':'%s'},'claimRef':{'namespace':'ns','name':'nobody'}}}"
            .formatted(name, TAKEN, handle));
  }

  /** Returns how many volume names were taken. */
  long takenNameCount() {
    return takenNames;
  }

  /** Undoes what keeps claims Pending. */
  void undoBlockers() {
    classes.restore();
    server.list(Kind.VOLUME).stream()
        .filter(volume -> volume.storageClass().equals(TAKEN))
        .forEach(volume -> server.delete(Kind.VOLUME, volume.key()));
  }

  ClassAdministrator classes() {
    return classes;
  }

  /** Returns how many volumes were created again with another handle. */
  long replacedCount() {
    return replaced;
  }

  /** Creates some claims, and requests more capacity for all bound claims. */
  void createMore() {
    for (int i = 0; i < ADDED_CLAIMS; i++) {
      String name = "more-" + i;
      if (server.find(Kind.CLAIM, key(name)) == null) {
        create(name, i == 0 ? ClassAdministrator.BRIEF : "now", 1, "");
      }
    }
    if (server.find(Kind.CLAIM, key(MOVED)) == null) {
      create(MOVED, "later", 1, "");
      use(MOVED);
    }
    server.list(Kind.CLAIM).stream()
        .filter(claim -> claim.phase() == ClaimPhase.BOUND && !claim.meta().isBeingDeleted())
        .forEach(this::grow);
  }

  /**
   * Creates claims whose source does not exist yet.
   *
   * @param snapshots whether one of them is restored from a snapshot
   */
  void createCopiesWithoutSource(boolean snapshots) {
    create("copy", "now", 1, ",'dataSource':{'kind':'PersistentVolumeClaim','name':'late'}");
    if (snapshots) {
      create(
          "restored",
          "now",
          1,
          ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot','name':'late'}");
    }
  }

  /** Creates the source claim. */
  void createSource() {
    create("late", "now", 1, "");
  }

  /** Returns the source and the claims that wait for it, if they are not bound. */
  List<String> findUnboundCopies() {
    return server.list(Kind.CLAIM).stream()
        .filter(claim -> List.of("copy", "restored", "late").contains(claim.key().name()))
        .filter(claim -> claim.phase() != ClaimPhase.BOUND)
        .map(Claim::toString)
        .toList();
  }

  /**
   * Creates static volumes that may be bound to claims while their own volumes are being
   * provisioned, and uses all bound claims.
   */
  void offerAndUse() {
    createStaticVolume();
    createStaticVolume();
    server.list(Kind.CLAIM).stream()
        .filter(claim -> claim.phase() == ClaimPhase.BOUND && !claim.meta().isBeingDeleted())
        .forEach(claim -> use(claim.key().name()));
  }

  /**
   * Labels claims that are bound to another volume while their own may exist. Such a write must not
   * repeat a call.
   */
  void labelBoundElsewhere() {
    claimsWithPossibleVolume().stream()
        .filter(claim -> !claim.volumeName().isEmpty())
        .forEach(this::label);
  }

  private void label(Claim claim) {
    server.change(
        Kind.CLAIM, claim.key(), "{'metadata':{'labels':{'n':'" + random.nextInt(100) + "'}}}");
  }

  /** Deletes most Pending claims, and all Pending claims of {@link #createMore()}. */
  void deletePending() {
    server.list(Kind.CLAIM).stream()
        .filter(claim -> claim.phase() == ClaimPhase.PENDING)
        .filter(claim -> !claim.key().name().equals(MOVED))
        .filter(claim -> claim.key().name().startsWith("more-") || random.nextInt(3) > 0)
        .forEach(this::delete);
  }

  /** Returns the claims whose volume may exist, according to their finalizer. */
  List<Claim> claimsWithPossibleVolume() {
    return server.list(Kind.CLAIM).stream()
        .filter(claim -> claim.meta().finalizers().contains(VolumeService.BEING_MADE))
        .toList();
  }

  /**
   * Returns whether the claim is being deleted, never had a volume, and no other component protects
   * it.
   */
  boolean shouldBeGone(Claim claim) {
    return claim.meta().isBeingDeleted()
        && claim.volumeName().isEmpty()
        && !isUsed(claim)
        && !claim.meta().finalizers().contains(CLONING);
  }

  /** Ends all uses and deletes all claims here. */
  void deleteAll() {
    podNodes.clear();
    server.list(Kind.CLAIM).stream()
        .filter(claim -> !claim.key().name().equals(FOREIGN_COPY))
        .forEach(claim -> {
          onChange.accept(claim);
          server.delete(Kind.CLAIM, claim.key());
        });
  }

  /**
   * Deletes the claim of the other namespace.
   *
   * @return the claims that its existence wrongly kept
   */
  List<String> deleteForeignCopy() {
    List<String> protectedClaims =
        server.list(Kind.CLAIM).stream()
            .filter(claim -> claim.meta().finalizers().contains(CLONING))
            .map(Claim::toString)
            .toList();
    server.delete(Kind.CLAIM, ObjectKey.of(SimServer.RIVAL, FOREIGN_COPY));
    return protectedClaims;
  }

  /** Returns whether a pod uses the claim. */
  boolean isUsed(Claim claim) {
    return podNodes.containsKey(claim.key().name());
  }

  /**
   * Lets the other controllers finish their work.
   *
   * @return whether there was any
   */
  boolean finishWork() {
    long versionBefore = server.store(Kind.CLAIM).version();
    podNodes.keySet().removeIf(name -> server.find(Kind.CLAIM, key(name)) == null);
    for (Claim claim : server.list(Kind.CLAIM)) {
      if (claim.meta().isBeingDeleted() && !isUsed(claim)) {
        removeFinalizer(
            Kind.CLAIM, claim.key(), claim.meta().finalizers(), "kubernetes.io/pvc-protection");
      } else if (isUsed(claim)) {
        useClaim(claim, podNodes.get(claim.key().name()));
      }
    }
    for (Volume volume : server.list(Kind.VOLUME)) {
      if (volume.meta().isBeingDeleted() && volume.phase() != VolumePhase.BOUND) {
        removeFinalizer(
            Kind.VOLUME, volume.key(), volume.finalizers(), "kubernetes.io/pv-protection");
      }
    }
    for (Attachment attachment : server.list(Kind.ATTACHMENT)) {
      if (!attachment.meta().isBeingDeleted() && !isWanted(attachment)) {
        simulation.addToHistory("attach/detach: delete " + attachment.key());
        changeClaimOf(attachment.volumeName());
        server.delete(Kind.ATTACHMENT, attachment.key());
      }
    }
    return server.store(Kind.CLAIM).version() != versionBefore;
  }

  private void removeFinalizer(
      Kind<?> kind, ObjectKey key, List<String> finalizers, String removedFinalizer) {
    List<String> remainingFinalizers =
        finalizers.stream().filter(f -> !f.equals(removedFinalizer)).toList();
    if (remainingFinalizers.size() < finalizers.size()) {
      server.change(
          kind,
          key,
          "{'metadata':{'finalizers':%s}}"
              .formatted(
                  remainingFinalizers.isEmpty()
                      ? "null"
                      : "['" + String.join("','", remainingFinalizers) + "']"));
    }
  }

  private void useClaim(Claim claim, String node) {
    if (claim.phase() == ClaimPhase.PENDING
        && claim.className().equals("later")
        && claim.meta().annotation(SELECTED_NODE).isEmpty()
        && !claim.meta().isBeingDeleted()) {
      simulation.addToHistory("scheduler: " + claim.key() + " on " + node);
      onChange.accept(claim);
      server.change(
          Kind.CLAIM,
          claim.key(),
          "{'metadata':{'annotations':{'" + SELECTED_NODE + "':'" + node + "'}}}");
    }
    boolean attached =
        server.list(Kind.ATTACHMENT).stream()
            .anyMatch(a -> a.volumeName().equals(claim.volumeName()));
    if (claim.phase() == ClaimPhase.BOUND && !attached && !claim.meta().isBeingDeleted()) {
      String name = "a-" + claim.volumeName() + "-" + node;
      simulation.addToHistory("attach/detach: " + name);
      changeClaimOf(claim.volumeName());
      server.create(
          Kind.ATTACHMENT,
          "",
          "{'metadata':{'name':'%s'},'spec':{'attacher':'d','nodeName':'%s','source':{'persistentVolumeName':'%s'}}}"
              .formatted(name, node, claim.volumeName()));
    }
  }

  private void changeClaimOf(String volume) {
    Volume existingVolume = server.find(Kind.VOLUME, ObjectKey.cluster(volume));
    Claim claim =
        existingVolume == null || existingVolume.claimRef() == null
            ? null
            : server.find(Kind.CLAIM, existingVolume.claimRef().claim());
    if (claim != null) {
      onChange.accept(claim);
    }
  }

  private boolean isWanted(Attachment attachment) {
    return server.list(Kind.CLAIM).stream()
        .anyMatch(c ->
            c.volumeName().equals(attachment.volumeName())
                && attachment.nodeName().equals(podNodes.get(c.key().name())));
  }
}
