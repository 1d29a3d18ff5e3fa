package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.provisioner.decide.DeletedVolumeRules;
import dev.mooring.provisioner.state.DeletedVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.text.LogMessage;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks plugins whether the storage of deleted volumes is gone, and reports storage that remains.
 * Deletes nothing.
 */
public final class DeletionVerifier {
  public static final String NAME = "deletion-verifier";

  public record Config(Duration period) {}

  private static final Duration FIRST_RETRY = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(DeletionVerifier.class.getName());

  /** Volumes of a plugin that are left on its storage. */
  public record OrphanCount(String plugin, String storageClass, long volumes, long bytes) {
    OrphanCount plus(OrphanCount other) {
      return new OrphanCount(
          plugin, storageClass, volumes + other.volumes, Quantity.addBytes(bytes, other.bytes));
    }
  }

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<StorageClass> classes;
  private final ClusterPorts ports;
  private final LoadedPlugins plugins;
  private final Duration period;
  private final WorkQueue<ObjectKey> queue;
  private final DeletedVolumes deletedVolumes = new DeletedVolumes();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  @Inject
  public DeletionVerifier(
      SharedInformers informers, ClusterPorts ports, LoadedPlugins plugins, Config config) {
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.classes = informers.of(Kind.STORAGE_CLASS);
    this.ports = ports;
    this.plugins = plugins;
    this.period = config.period();
    this.queue =
        new WorkQueue<>(
            NAME,
            ports.time(),
            new Backoff<>(FIRST_RETRY, FIRST_RETRY.compareTo(period) < 0 ? period : FIRST_RETRY));
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims, volumes, classes)
        .addHandler(volumes, this::volumeChanged)
        .loop(queue, this::verify, 1)
        .build();
  }

  private void volumeChanged(Change<Volume> change) {
    if (change instanceof Change.Deleted<Volume>(Volume last, boolean isFoundByList)) {
      if (DeletedVolumeRules.mustStorageBeGone(last, isFoundByList)) {
        deletedVolumes.add(last);
        queue.addAfter(last.key(), period);
      }
    } else {
      deletedVolumes.forget(change.key());
    }
  }

  private Outcome verify(ObjectKey key) throws InterruptedException {
    Optional<Volume> last = deletedVolumes.find(key);
    Optional<VolumePlugin> plugin = last.flatMap(this::findPlugin);
    if (last.isEmpty() || plugin.flatMap(VolumePlugin::inventory).isEmpty()) {
      deletedVolumes.forget(key);
      return Outcome.SETTLED;
    }
    VolumeInventory inventory = plugin.get().inventory().orElseThrow();
    return switch (inventory.contains(
        new VolumeInventory.Request(key.name(), last.get().source()))) {
      case Attempt.Done<Boolean>(Boolean isPresent) when isPresent ->
          reviewPresent(last.get(), plugin.get().name());
      case Attempt.Done<Boolean> _ -> forget(key);
      case Attempt.Failed<Boolean>(var failure) -> {
        failures.computeIfAbsent(plugin.get().name(), name -> new LongAdder()).increment();
        yield new Outcome.Retry(failure);
      }
    };
  }

  private Optional<VolumePlugin> findPlugin(Volume volume) {
    return plugins.findSupporting(volume.source()).stream().findFirst();
  }

  private Outcome forget(ObjectKey key) {
    deletedVolumes.forget(key);
    return Outcome.SETTLED;
  }

  // Lists live: a cache may lack an object that names the storage again.
  private Outcome reviewPresent(Volume last, String plugin) throws InterruptedException {
    return switch (ports.reader().list(Kind.VOLUME, "")) {
      case ReadResult.Found<List<Volume>>(List<Volume> present) -> {
        if (DeletedVolumeRules.isNeededAgain(last, findClaim(last), present)) {
          yield forget(last.key());
        }
        if (deletedVolumes.markOrphaned(last.key(), last.meta().uid())) {
          report(last, plugin);
        }
        yield new Outcome.CheckAgain(period);
      }
      case ReadResult.Absent<List<Volume>> _ -> new Outcome.CheckAgain(period);
      case ReadResult.Failed<List<Volume>>(String message) -> new Outcome.Unanswered(message);
    };
  }

  private Optional<Claim> findClaim(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Optional.empty() : claims.get(ref.claim());
  }

  private void report(Volume last, String plugin) {
    String name = last.meta().name();
    String text =
        "plugin %s still has the storage of PersistentVolume %s, which is deleted: delete it there, unless another cluster uses it"
            .formatted(plugin, name);
    LOG.log(Level.WARNING, LogMessage.of(text).with(LogMessage.PV, name));
    Optional<Meta> storageClass =
        classes.get(ObjectKey.cluster(last.storageClass())).map(StorageClass::meta);
    ports
        .events()
        .emit(
            new ClusterEvent(
                storageClass.isPresent() ? Kind.STORAGE_CLASS : Kind.VOLUME,
                storageClass.orElseGet(last::meta),
                ClusterEvent.Type.WARNING,
                "VolumeOrphaned",
                "VolumeOrphaned",
                text,
                NAME));
  }

  public List<OrphanCount> orphans() {
    Map<String, OrphanCount> counts = new TreeMap<>();
    for (Volume volume : deletedVolumes.orphans()) {
      String plugin = findPlugin(volume).map(VolumePlugin::name).orElse("");
      counts.merge(
          plugin + " " + volume.storageClass(),
          new OrphanCount(plugin, volume.storageClass(), 1, volume.storage().toBytesCeiling()),
          OrphanCount::plus);
    }
    return List.copyOf(counts.values());
  }

  /** Returns the number of failed questions by plugin. */
  public Map<String, Long> failures() {
    Map<String, Long> counts = new TreeMap<>();
    failures.forEach((plugin, count) -> counts.put(plugin, count.sum()));
    return counts;
  }
}
