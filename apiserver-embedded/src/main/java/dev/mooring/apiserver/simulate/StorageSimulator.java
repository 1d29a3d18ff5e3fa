package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.store.StoredObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Simulates the external provisioner and resizer of every driver: each claim that names a
 * provisioner gets a volume, each released volume with the policy Delete is deleted, each growth
 * succeeds, and each snapshot is ready at once. A provisioner whose class has CSIStorageCapacity
 * objects provisions no more than they state. One thread does this after every write.
 */
public final class StorageSimulator implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final String FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";
  // removed by the deleter, which is in kube-controller-manager for in-tree volumes
  private static final Set<String> FINALIZERS = Set.of(FINALIZER, "kubernetes.io/pv-controller");
  private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
  private static final String IN_TREE = "kubernetes.io/";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final List<String> PROVISIONERS =
      List.of(
          "volume.kubernetes.io/storage-provisioner",
          "volume.beta.kubernetes.io/storage-provisioner");

  private final ObjectHandlers handlers;
  private final Map<String, DestroyedData> destroyed = new LinkedHashMap<>(); // by uid
  private final SnapshotSimulator snapshots;
  private final SelectedObjects endingVolumes;
  private final SelectedObjects unfinishedClaims;
  private final Map<String, BigDecimal> usedCapacity = new HashMap<>();
  private Optional<PassThread> thread = Optional.empty();

  private StorageSimulator(ObjectHandlers handlers) {
    this.handlers = handlers;
    this.snapshots = new SnapshotSimulator(handlers, this::record);
    this.endingVolumes =
        new SelectedObjects(handlers.store(KindCatalogue.VOLUMES), StorageSimulator::isEnding);
    this.unfinishedClaims =
        new SelectedObjects(handlers.store(KindCatalogue.CLAIMS), claim -> !isFinished(claim));
  }

  public static StorageSimulator start(ObjectHandlers handlers) {
    StorageSimulator simulator = new StorageSimulator(handlers);
    simulator.thread =
        Optional.of(PassThread.start(handlers, "simulated-storage", PAUSE, simulator::runPass));
    return simulator;
  }

  public List<DestroyedData> destroyedData() {
    synchronized (destroyed) {
      return List.copyOf(destroyed.values());
    }
  }

  private void record(DestroyedData data) {
    synchronized (destroyed) {
      destroyed.putIfAbsent(textAt(data.object(), "metadata", "uid"), data);
    }
  }

  private void runPass() {
    snapshots.runPass();
    Set<String> attachedVolumes =
        handlers.store(KindCatalogue.ATTACHMENTS).list("").objects().stream()
            .map(a -> textAt(a.tree(), "spec", "source", "persistentVolumeName"))
            .collect(Collectors.toSet());
    List<JsonObject> volumes =
        endingVolumes.list().stream()
            .filter(volume -> !attachedVolumes.contains(SimulatedObjects.getName(volume)))
            .toList();
    Map<String, JsonObject> boundVolumes =
        volumes.stream().anyMatch(StorageSimulator::isDestroyed) ? listBoundVolumes() : Map.of();
    volumes.forEach(volume -> release(volume, boundVolumes));
    for (JsonObject claim : unfinishedClaims.list()) {
      if (!isUnbound(claim)) {
        grow(claim);
      } else if (!SimulatedObjects.isTerminating(claim)) {
        String provisioner = findProvisioner(claim);
        if (!provisioner.isEmpty()) {
          provision(claim, provisioner);
        }
      }
    }
  }

  private static boolean isUnbound(JsonObject claim) {
    return textAt(claim, "spec", "volumeName").isEmpty();
  }

  private static boolean isFinished(JsonObject claim) {
    return !isUnbound(claim)
        && textAt(claim, "spec", "resources", "requests", "storage")
            .equals(textAt(claim, "status", "capacity", "storage"));
  }

  private static boolean isEnding(JsonObject volume) {
    return SimulatedObjects.isTerminating(volume) || isReleased(volume);
  }

  private Map<String, JsonObject> listBoundVolumes() {
    Map<String, JsonObject> volumes = new HashMap<>(); // by the id of their data
    for (StoredObject volume : handlers.store(KindCatalogue.VOLUMES).list("").objects()) {
      if (textAt(volume.tree(), "status", "phase").equals("Bound")) {
        volumes.put(nameStorage(volume.tree()), volume.tree());
      }
    }
    volumes.remove("");
    return volumes;
  }

  private String findProvisioner(JsonObject claim) {
    return PROVISIONERS.stream()
        .map(name -> textAt(claim, "metadata", "annotations", name))
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElseGet(() -> findInTreeProvisioner(claim));
  }

  // no controller hands such a claim over
  private String findInTreeProvisioner(JsonObject claim) {
    StoredObject storageClass =
        handlers.store(KindCatalogue.CLASSES).get(textAt(claim, "spec", "storageClassName"));
    String name = storageClass == null ? "" : textAt(storageClass.tree(), "provisioner");
    return name.startsWith(IN_TREE) && !name.equals(PodScheduler.NO_PROVISIONER) ? name : "";
  }

  private void release(JsonObject volume, Map<String, JsonObject> boundVolumes) {
    if (isDestroyed(volume)) {
      record(
          new DestroyedData(
              KindCatalogue.VOLUMES,
              volume,
              textAt(volume, "metadata", "annotations", PROVISIONED_BY),
              findCause(volume, boundVolumes)));
      removeFinalizer(volume);
      SimulatedObjects.tryWrite(() ->
          handlers.delete(
              KindCatalogue.VOLUMES, "", SimulatedObjects.getName(volume), WriteOptions.PLAIN));
    } else if (isProvisioned(volume)
        && !isDeletable(volume)
        && SimulatedObjects.isTerminating(volume)
        && isMarked(volume)) {
      removeFinalizer(volume);
    }
  }

  private static boolean isDestroyed(JsonObject volume) {
    return isProvisioned(volume)
        && isDeletable(volume)
        && isReleased(volume)
        && (!SimulatedObjects.isTerminating(volume) || isMarked(volume));
  }

  private static boolean isProvisioned(JsonObject volume) {
    return !textAt(volume, "metadata", "annotations", PROVISIONED_BY).isEmpty();
  }

  private static boolean isDeletable(JsonObject volume) {
    return textAt(volume, "spec", "persistentVolumeReclaimPolicy").equals("Delete");
  }

  private static boolean isReleased(JsonObject volume) {
    return List.of("Released", "Failed").contains(textAt(volume, "status", "phase"));
  }

  private static boolean isMarked(JsonObject volume) {
    return stringsAt(volume, "metadata", "finalizers").stream().anyMatch(FINALIZERS::contains);
  }

  private String findCause(JsonObject volume, Map<String, JsonObject> boundVolumes) {
    StoredObject claim =
        handlers
            .store(KindCatalogue.CLAIMS)
            .get(
                textAt(volume, "spec", "claimRef", "namespace")
                    + "/"
                    + textAt(volume, "spec", "claimRef", "name"));
    String cause =
        claim == null
            ? "its claim is gone and its reclaim policy is Delete"
            : "its claimRef has the uid of an earlier claim and its reclaim policy is Delete";
    JsonObject other = boundVolumes.get(nameStorage(volume));
    return other == null || SimulatedObjects.getName(other).equals(SimulatedObjects.getName(volume))
        ? cause
        : "%s; it is also the data of persistentvolume %s, claim %s/%s"
            .formatted(
                cause,
                SimulatedObjects.getName(other),
                textAt(other, "spec", "claimRef", "namespace"),
                textAt(other, "spec", "claimRef", "name"));
  }

  private static String nameStorage(JsonObject volume) {
    String handle = textAt(volume, "spec", "csi", "volumeHandle");
    String path = textAt(volume, "spec", "nfs", "path");
    return !handle.isEmpty()
        ? "csi " + textAt(volume, "spec", "csi", "driver") + " " + handle
        : path.isEmpty() ? "" : "nfs " + textAt(volume, "spec", "nfs", "server") + " " + path;
  }

  private void removeFinalizer(JsonObject volume) {
    update(
        volume,
        current -> {
          JsonArray rest = new JsonArray();
          stringsAt(current, "metadata", "finalizers").stream()
              .filter(name -> !FINALIZERS.contains(name))
              .forEach(rest::add);
          getOrAddChild(current, "metadata").add("finalizers", rest);
          return current;
        });
  }

  private void update(JsonObject volume, ObjectHandlers.ObjectEdit edit) {
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.VOLUMES, "", SimulatedObjects.getName(volume), WriteOptions.PLAIN, edit));
  }

  private void provision(JsonObject claim, String provisioner) {
    StoredObject storageClass =
        handlers.store(KindCatalogue.CLASSES).get(textAt(claim, "spec", "storageClassName"));
    String node = textAt(claim, "metadata", "annotations", SELECTED_NODE);
    String name = "pvc-" + textAt(claim, "metadata", "uid");
    if (storageClass == null
        || handlers.store(KindCatalogue.VOLUMES).get(name) != null
        || textAt(storageClass.tree(), "volumeBindingMode").equals("WaitForFirstConsumer")
            && node.isEmpty()
        || !snapshots.isSourceReady(claim)
        || !reserveCapacity(claim, provisioner, node)) {
      return;
    }
    SimulatedObjects.tryWrite(() ->
        handlers.create(
            KindCatalogue.VOLUMES,
            "",
            makeVolume(claim, storageClass.tree(), name, provisioner),
            WriteOptions.PLAIN));
  }

  private boolean reserveCapacity(JsonObject claim, String provisioner, String node) {
    StoredObject driver = handlers.store(KindCatalogue.CSI_DRIVERS).get(provisioner);
    if (driver == null || !flagAt(driver.tree(), "spec", "storageCapacity")) {
      return true;
    }
    BigDecimal size =
        ResourceAmounts.parseAmount(valueAt(claim, "spec", "resources", "requests", "storage"));
    for (StoredObject stored : handlers.store(KindCatalogue.CAPACITIES).list("").objects()) {
      JsonObject capacity = stored.tree();
      if (textAt(capacity, "storageClassName").equals(textAt(claim, "spec", "storageClassName"))
          && isReachable(capacity, node)) {
        BigDecimal used = usedCapacity.getOrDefault(stored.key(), BigDecimal.ZERO);
        JsonElement total = valueAt(capacity, "capacity");
        JsonElement largest = valueAt(capacity, "maximumVolumeSize");
        boolean isSmall =
            largest == null || size.compareTo(ResourceAmounts.parseAmount(largest)) <= 0;
        if (total != null
            && isSmall
            && used.add(size).compareTo(ResourceAmounts.parseAmount(total)) <= 0) {
          usedCapacity.put(stored.key(), used.add(size));
          return true;
        }
      }
    }
    return false;
  }

  private boolean isReachable(JsonObject capacity, String node) {
    StoredObject selected = handlers.store(KindCatalogue.NODES).get(node);
    return !(valueAt(capacity, "nodeTopology") instanceof JsonObject topology)
        || selected == null
        || LabelSelectors.isMatching(
            topology, getOrAddChild(selected.copy(), "metadata", "labels"));
  }

  private JsonObject makeVolume(
      JsonObject claim, JsonObject storageClass, String name, String provisioner) {
    JsonObject metadata = newObject("name", name);
    metadata.add("annotations", newObject(PROVISIONED_BY, provisioner));
    metadata.add("finalizers", newArray(FINALIZER));
    JsonObject spec = newObject("storageClassName", SimulatedObjects.getName(storageClass));
    spec.add("accessModes", getOrAddChild(claim.deepCopy(), "spec").get("accessModes"));
    spec.add(
        "capacity",
        newObject("storage", textAt(claim, "spec", "resources", "requests", "storage")));
    spec.add("claimRef", SimulatedObjects.makeClaimReference(claim));
    String policy = textAt(storageClass, "reclaimPolicy");
    spec.addProperty("persistentVolumeReclaimPolicy", policy.isEmpty() ? "Delete" : policy);
    if (valueAt(claim, "spec", "volumeMode") instanceof JsonElement mode) {
      spec.add("volumeMode", mode);
    }
    if (!isCsiDriver(provisioner)) {
      spec.add("nfs", newObject("server", "simulated", "path", "/" + name));
    } else {
      spec.add("csi", newObject("driver", provisioner, "volumeHandle", name));
    }
    JsonObject volume = newObject("metadata", metadata);
    volume.add("spec", spec);
    return volume;
  }

  // a CSIDriver object is optional
  private boolean isCsiDriver(String provisioner) {
    return handlers.store(KindCatalogue.CSI_DRIVERS).get(provisioner) != null
        || handlers.store(KindCatalogue.CSI_NODES).list("").objects().stream()
            .flatMap(node -> SimulatedObjects.objectsAt(node.tree(), "spec", "drivers").stream())
            .anyMatch(driver -> textAt(driver, "name").equals(provisioner));
  }

  private void grow(JsonObject claim) {
    BigDecimal request =
        ResourceAmounts.parseAmount(valueAt(claim, "spec", "resources", "requests", "storage"));
    JsonElement size = valueAt(claim, "status", "capacity", "storage");
    StoredObject volume =
        handlers.store(KindCatalogue.VOLUMES).get(textAt(claim, "spec", "volumeName"));
    if (size == null
        || volume == null
        || request.compareTo(ResourceAmounts.parseAmount(size)) <= 0) {
      return;
    }
    String amount = textAt(claim, "spec", "resources", "requests", "storage");
    update(
        volume.tree(),
        current -> {
          getOrAddChild(current, "spec", "capacity").addProperty("storage", amount);
          return current;
        });
    SimulatedObjects.tryWrite(() ->
        handlers.update(
            KindCatalogue.CLAIMS,
            SimulatedObjects.getNamespace(claim),
            SimulatedObjects.getName(claim),
            WriteOptions.STATUS,
            current -> {
              getOrAddChild(current, "status", "capacity").addProperty("storage", amount);
              return current;
            }));
  }

  /** Returns whether the simulation has seen every write and has nothing to do. */
  public boolean isAtRest() {
    return thread.map(PassThread::isAtRest).orElse(true);
  }

  @Override
  public void close() {
    thread.ifPresent(PassThread::close);
  }
}
