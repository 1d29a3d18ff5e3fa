package dev.mooring.it.sim;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * All actors of a {@link BinderWorkload} except the binder: users, administrators, the scheduler
 * and the protection controllers.
 */
final class BinderActors {
  private static final int CLAIMS = 6;
  private static final int VOLUMES = 6;
  private static final Set<String> RIVALS = Set.of("c4", "c5");
  private static final List<String> NODES = List.of("n1", "n2");
  static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final SimStorage storage;
  private final boolean wide;

  /**
   * Creates the actors of a schedule.
   *
   * @param wide whether there are nodes, a scheduler, and administrators who clear claimRefs and
   *     change reclaim policies
   */
  BinderActors(Simulation simulation, SimStorage storage, boolean wide) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.storage = storage;
    this.wide = wide;
  }

  /** Creates the initial classes and nodes. */
  void createInitialObjects() {
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'made'},'provisioner':'"
            + SimStorage.NAME
            + "','reclaimPolicy':'Delete'}");
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'kept'},'provisioner':'"
            + SimStorage.NAME
            + "','reclaimPolicy':'Retain'}");
    if (wide) {
      NODES.forEach(this::addNode);
      server.create(
          Kind.STORAGE_CLASS,
          "",
          "{'metadata':{'name':'later'},'volumeBindingMode':'WaitForFirstConsumer','provisioner':'"
              + SimStorage.NAME
              + "','reclaimPolicy':'Delete'}");
    }
  }

  private void addNode(String name) {
    server.create(Kind.NODE, "", "{'metadata':{'name':'" + name + "'}}");
  }

  /** Returns the claim's key; the last two claims are in another namespace. */
  private static ObjectKey key(String claim) {
    return ObjectKey.of(RIVALS.contains(claim) ? SimServer.RIVAL : "ns", claim);
  }

  /** Lets one actor take one random step. */
  void act() {
    String volume = "v" + random.nextInt(VOLUMES);
    String claim = "c" + random.nextInt(CLAIMS);
    int size = 1 + random.nextInt(4);
    switch (random.nextInt(wide ? 16 : 9)) {
      case 0, 1 -> {
        simulation.addToHistory("user: volume " + volume + " " + size + "Gi");
        server.create(
            Kind.VOLUME,
            "",
            "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%dGi'},'accessModes':['ReadWriteOnce'],'nfs':{'server':'s','path':'/'}%s}}"
                .formatted(
                    volume,
                    size,
                    random.nextInt(4) == 0
                        ? ",'claimRef':{'namespace':'%s','name':'%s'}"
                            .formatted(key(claim).namespace(), claim)
                        : ""));
      }
      case 2, 3 -> {
        simulation.addToHistory("user: claim " + claim + " " + size + "Gi");
        server.create(
            Kind.CLAIM,
            key(claim).namespace(),
            "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'','resources':{'requests':{'storage':'%dGi'}}%s}}"
                .formatted(
                    claim, size, random.nextInt(5) == 0 ? ",'volumeName':'" + volume + "'" : ""));
      }
      case 4, 5 -> {
        simulation.addToHistory("user: claim " + claim + " of a class");
        server.create(
            Kind.CLAIM,
            key(claim).namespace(),
            "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','resources':{'requests':{'storage':'%dGi'}}}}"
                .formatted(claim, random.nextBoolean() ? "made" : wide ? "later" : "kept", size));
      }
      case 6 -> {
        simulation.addToHistory("user: delete claim " + claim);
        server.delete(Kind.CLAIM, key(claim));
      }
      case 7 -> {
        simulation.addToHistory("user: delete volume " + volume);
        server.delete(Kind.VOLUME, ObjectKey.cluster(volume));
      }
      case 8 -> {
        simulation.addToHistory("user: label on " + volume + " and " + claim);
        String label = "{'metadata':{'labels':{'n':'" + random.nextInt(100) + "'}}}";
        server.change(Kind.VOLUME, ObjectKey.cluster(volume), label);
        server.change(Kind.CLAIM, key(claim), label);
      }
      case 9, 10 -> {
        simulation.addToHistory("user: scheduler selects or clears the node of " + claim);
        String node = random.nextInt(3) == 0 ? "null" : "'" + simulation.pick(NODES) + "'";
        server.change(
            Kind.CLAIM,
            key(claim),
            "{'metadata':{'annotations':{'" + SELECTED_NODE + "':" + node + "}}}");
      }
      case 11, 12 -> {
        String node = simulation.pick(NODES);
        simulation.addToHistory("user: node " + node + " is deleted or created");
        if (server.find(Kind.NODE, ObjectKey.cluster(node)) == null) {
          addNode(node);
        } else {
          server.delete(Kind.NODE, ObjectKey.cluster(node));
        }
      }
      default -> {
        List<Volume> volumes = server.list(Kind.VOLUME);
        if (!volumes.isEmpty()) {
          actAsAdministrator(simulation.pick(volumes), random.nextInt(3));
        }
      }
    }
  }

  /** Lets an administrator clear a volume's claimRef or its uid, or change its reclaim policy. */
  private void actAsAdministrator(Volume volume, int draw) {
    ClaimRef ref = volume.claimRef();
    if (draw == 0 && !isForPendingClaim(volume)) {
      simulation.addToHistory("user: " + volume.key() + " loses its claimRef " + ref);
      server.change(Kind.VOLUME, volume.key(), "{'spec':{'claimRef':null}}");
    } else if (draw == 1 && ref != null) {
      simulation.addToHistory(
          "user: " + volume.key() + " loses its claim's uid, but not the name of " + ref);
      server.change(
          Kind.VOLUME, volume.key(), "{'spec':{'claimRef':{'uid':null,'resourceVersion':null}}}");
    } else if (storage.volumes().containsKey(volume.meta().name())) {
      String policy = random.nextBoolean() ? "Retain" : "Delete";
      simulation.addToHistory("user: " + volume.key() + " " + policy);
      server.change(
          Kind.VOLUME, volume.key(), "{'spec':{'persistentVolumeReclaimPolicy':'" + policy + "'}}");
    }
  }

  /**
   * Returns whether the volume was provisioned for a claim that is still Pending. Without its
   * claimRef, that claim would wait for ever.
   */
  private boolean isForPendingClaim(Volume volume) {
    SimStorage.StoredVolume item = storage.volumes().get(volume.meta().name());
    Claim claim = item == null ? null : server.find(Kind.CLAIM, item.claim);
    return claim != null
        && claim.meta().uid().equals(item.claimUid)
        && claim.phase() == ClaimPhase.PENDING;
  }

  /**
   * Acts as the protection controllers: removes the finalizers of deleted, unused objects.
   *
   * @return whether there was any
   */
  boolean removeFinalizers() {
    long versionBefore = server.store(Kind.CLAIM).version();
    for (Claim claim : server.list(Kind.CLAIM)) {
      if (claim.meta().isBeingDeleted()) {
        server.change(Kind.CLAIM, claim.key(), "{'metadata':{'finalizers':null}}");
      }
    }
    for (Volume volume : server.list(Kind.VOLUME)) {
      List<String> remainingFinalizers =
          volume.finalizers().stream()
              .filter(f -> !f.equals("kubernetes.io/pv-protection"))
              .toList();
      if (volume.meta().isBeingDeleted()
          && volume.phase() != VolumePhase.BOUND
          && remainingFinalizers.size() < volume.finalizers().size()) {
        server.change(
            Kind.VOLUME,
            volume.key(),
            "{'metadata':{'finalizers':%s}}"
                .formatted(
                    remainingFinalizers.isEmpty()
                        ? "null"
                        : "['" + String.join("','", remainingFinalizers) + "']"));
      }
    }
    return server.store(Kind.CLAIM).version() != versionBefore;
  }
}
