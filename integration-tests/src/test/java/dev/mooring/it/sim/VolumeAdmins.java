package dev.mooring.it.sim;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Fault: administrators restore volumes from a backup, create a second object for the same storage
 * (a twin), and rescue volumes that would be destroyed.
 */
final class VolumeAdmins {
  private static final String RESTORED = "restored-";
  private static final String TWIN = "twin-";

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final String provisioner;
  private final UnaryOperator<String> source;
  private final Set<String> keptVolumes = new HashSet<>();
  private int twins;
  private long rescued;

  /**
   * Creates the administrators of one schedule.
   *
   * @param provisioner provisioner of the restored volumes
   * @param source returns the volume source for a handle, as JSON
   */
  VolumeAdmins(Simulation simulation, String provisioner, UnaryOperator<String> source) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.provisioner = provisioner;
    this.source = source;
  }

  static boolean isRestored(String name) {
    return name.startsWith(RESTORED);
  }

  /**
   * Restores a volume, but not its claim.
   *
   * @param storageCreator adds the storage of the handle before the object is created
   */
  void restore(Consumer<String> storageCreator) {
    String claim = new UUID(random.nextLong(), random.nextLong()).toString();
    String name = RESTORED + claim;
    simulation.addToHistory("user: restores " + name);
    storageCreator.accept(name);
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s','annotations':{'pv.kubernetes.io/provisioned-by':'%s','mooring.dev/made-at':'2000-01-01T00:00:00Z'}},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Delete','storageClassName':'restored',%s,'claimRef':{'namespace':'ns','name':'%s','uid':'%s'}}}"
            .formatted(name, provisioner, source.apply(name), "c" + random.nextInt(3), claim));
  }

  /** Creates a twin of a volume, or deletes one. */
  void createOrDeleteTwin() {
    List<Volume> volumes = server.list(Kind.VOLUME);
    Volume volume = volumes.isEmpty() ? null : simulation.pick(volumes);
    if (volume == null || VolumeIdentity.of(volume).isEmpty()) {
      return;
    }
    if (isTwin(volume)) {
      simulation.addToHistory("user: deletes " + volume.key());
      server.delete(Kind.VOLUME, volume.key());
      return;
    }
    String name = TWIN + twins++;
    simulation.addToHistory("user: " + name + " for the storage of " + volume.key());
    server.create(
        Kind.VOLUME,
        "",
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Retain','storageClassName':'twins',%s}}"
            .formatted(name, source.apply(handle(volume))));
  }

  static boolean isTwin(Volume volume) {
    return volume.meta().name().startsWith(TWIN);
  }

  private static String handle(Volume volume) {
    return volume.source().type().equals("csi")
        ? volume.source().attribute("volumeHandle")
        : volume.source().attribute("path").replace(SimStorage.pathOf(""), "");
  }

  /** Sets the reclaim policy of a volume to Retain. */
  void retainAny() {
    List<Volume> volumes = server.list(Kind.VOLUME);
    Volume volume = volumes.isEmpty() ? null : simulation.pick(volumes);
    if (volume != null && volume.reclaimPolicy() == ReclaimPolicy.DELETE) {
      simulation.addToHistory("user: keeps " + volume.key());
      keptVolumes.add(handle(volume));
      policy(volume.key(), "Retain");
    }
  }

  void rescueAny() {
    List<Volume> volumes =
        server.list(Kind.VOLUME).stream().filter(VolumeAdmins::isToBeDestroyed).toList();
    if (!volumes.isEmpty()) {
      rescue(simulation.pick(volumes).key());
    }
  }

  private static boolean isToBeDestroyed(Volume volume) {
    return volume.phase() == VolumePhase.RELEASED
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && volume.claimRef() != null
        && !isTwin(volume);
  }

  /**
   * Rescues a Released volume before it is destroyed: sets its policy to Retain, or clears its
   * claimRef or the uid in it.
   */
  void rescue(ObjectKey key) {
    Volume volume = server.find(Kind.VOLUME, key);
    if (volume == null || !isToBeDestroyed(volume)) {
      return;
    }
    rescued++;
    keptVolumes.add(handle(volume));
    int draw = random.nextInt(3);
    simulation.addToHistory("user: rescues " + key + " " + draw);
    if (draw == 0) {
      policy(key, "Retain");
    } else {
      String ref = draw == 1 ? "null" : "{'uid':null,'resourceVersion':null}";
      server.change(Kind.VOLUME, key, "{'spec':{'claimRef':" + ref + "}}");
    }
  }

  /** Returns the number of rescued volumes. */
  long rescueCount() {
    return rescued;
  }

  /**
   * Returns whether an administrator rescued the volume with that handle. Its object may be gone.
   */
  boolean isKept(String handle) {
    return keptVolumes.contains(handle);
  }

  /** Sets kept volumes to Delete again, and deletes the twins. */
  void undo() {
    for (Volume volume : server.list(Kind.VOLUME)) {
      if (isTwin(volume)) {
        server.delete(Kind.VOLUME, volume.key());
      } else if (keptVolumes.contains(handle(volume))) {
        policy(volume.key(), "Delete");
      }
    }
  }

  private void policy(ObjectKey volume, String policy) {
    server.change(
        Kind.VOLUME, volume, "{'spec':{'persistentVolumeReclaimPolicy':'" + policy + "'}}");
  }
}
