package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.decide.DeleterDecider;
import dev.mooring.binder.decide.DeleterDecider.LoadedPlugin;
import dev.mooring.binder.decide.DeleterDecider.PluginCandidates;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.EligibleNodes;
import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.MissingPlugin;
import dev.mooring.binder.decide.MissingPlugin.PluginRole;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Builds views of claims and volumes from caches and loaded plugins. Thread-safe. */
public final class BinderViews implements ReclaimViews {
  /**
   * Source of caches. The cache of pods has the index {@link IndexSet#PODS_BY_CLAIM}. For recycler
   * pods it also has the indexes of {@link RecyclerPodNames}.
   */
  @FunctionalInterface
  public interface Caches {
    <T extends Resource> Informer<T> of(Kind<T> kind);
  }

  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<StorageClass> classes;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;
  private final LoadedPlugins plugins;
  private final BinderPolicy policy;

  public BinderViews(Caches caches, LoadedPlugins plugins, BinderPolicy policy) {
    this.claims = caches.of(Kind.CLAIM);
    this.volumes = caches.of(Kind.VOLUME);
    this.classes = caches.of(Kind.STORAGE_CLASS);
    this.pods = caches.of(Kind.POD);
    this.nodes = caches.of(Kind.NODE);
    this.plugins = plugins;
    this.policy = policy;
  }

  public Informer<Claim> claims() {
    return claims;
  }

  public Informer<Volume> volumes() {
    return volumes;
  }

  public BinderPolicy policy() {
    return policy;
  }

  public Optional<ClaimView> claimView(ObjectKey key) {
    return claims.get(key).map(this::createView);
  }

  private ClaimView createView(Claim claim) {
    Optional<StorageClass> storageClass =
        claim.className().isEmpty()
            ? Optional.empty()
            : classes.get(ObjectKey.cluster(claim.className()));
    Provisioning provisioning =
        storageClass
            .map(this::provisioningOf)
            .orElseGet(() -> new Provisioning.Unserved("the claim has no class"));
    return new ClaimView(
        claim,
        storageClass,
        claim.storageClass() == null ? defaultClass() : "",
        waitingPods(claim.key()),
        provisioning,
        isNodeGone(claim));
  }

  private boolean isNodeGone(Claim claim) {
    return claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)
        && nodes
            .get(ObjectKey.cluster(claim.meta().annotation(BinderMarks.SELECTED_NODE)))
            .isEmpty();
  }

  // returns the newest default class; the first by name among equals
  private String defaultClass() {
    return classes.snapshot().toList().stream()
        .filter(StorageClass::isDefault)
        .min(
            Comparator.comparingLong((StorageClass c) -> -c.meta().created())
                .thenComparing(c -> c.meta().name()))
        .map(c -> c.meta().name())
        .orElse("");
  }

  private List<String> waitingPods(ObjectKey claim) {
    List<String> names = new ArrayList<>();
    for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim)) {
      if (!pod.isTerminated() && pod.nodeName().isEmpty()) {
        names.add(pod.meta().name());
      }
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  public EligibleNodes eligibleNodes(Claim claim) {
    String selected = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return nodes
        .get(ObjectKey.cluster(selected))
        .map(EligibleNodes::ofSelected)
        .orElseGet(() -> EligibleNodes.ofAll(nodes.snapshot().toList()));
  }

  public Provisioning provisioningOf(StorageClass storageClass) {
    String name = storageClass.provisioner();
    String driver = CsiMigration.driverOf(name);
    if (!driver.isEmpty()) {
      return new Provisioning.ByOthers(driver);
    }
    Optional<VolumePlugin> plugin = plugins.find(name);
    if (plugin.isPresent() && plugin.get().provisioner().isPresent()) {
      return new Provisioning.ByPlugin(name);
    }
    if (!name.startsWith(BinderMarks.IN_TREE_PREFIX)) {
      return new Provisioning.ByOthers(name);
    }
    return new Provisioning.Unserved(
        plugin.isPresent()
            ? PluginRole.PROVISIONABLE.message()
            : MissingPlugin.messageForName(name, PluginRole.PROVISIONABLE));
  }

  public Optional<VolumeView> volumeView(ObjectKey key) {
    return volumes.get(key).map(volume -> new VolumeView(volume, knownClaim(volume)));
  }

  public Optional<MigrationUpdate> migrationUpdate(Volume volume) {
    return MigrationUpdate.of(volume, policy, name -> plugins.find(name).isPresent());
  }

  // In Kubernetes a volume has no twins: it destroys storage that another one refers to
  @Override
  public List<Volume> twins(Volume volume) {
    return policy.compat().isKubernetes()
        ? List.of()
        : SharedStorageIndex.findTwins(volumes, volume);
  }

  @Override
  public DeleterLookup findDeleter(Volume volume) {
    String name = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    Optional<VolumePlugin> provisioningPlugin =
        name.isEmpty() ? Optional.empty() : plugins.find(name);
    List<VolumePlugin> supporting =
        DeleterDecider.isFoundBySource(volume)
            ? plugins.findSupporting(volume.source())
            : List.of();
    DeleterVerdict verdict =
        DeleterDecider.decide(
            volume,
            new PluginCandidates(
                provisioningPlugin.map(BinderViews::toLoadedPlugin),
                supporting.stream().map(BinderViews::toLoadedPlugin).toList()),
            policy);
    return verdict instanceof DeleterVerdict.Plugin(String plugin)
        ? new DeleterLookup(
            verdict,
            Stream.concat(provisioningPlugin.stream(), supporting.stream())
                .findFirst()
                .flatMap(VolumePlugin::deleter),
            plugins.generations().get(plugin))
        : new DeleterLookup(verdict, Optional.empty(), null);
  }

  private static LoadedPlugin toLoadedPlugin(VolumePlugin plugin) {
    return new LoadedPlugin(plugin.name(), plugin.deleter().isPresent());
  }

  @Override
  public String provisionerOf(String className) {
    return classes.get(ObjectKey.cluster(className)).map(StorageClass::provisioner).orElse("");
  }

  @Override
  public RecycleView recycleView(Volume volume, ObjectKey recycler) {
    List<ObjectKey> users = new ArrayList<>();
    if (volume.claimRef() != null && claims.get(volume.claimRef().claim()).isEmpty()) {
      for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, volume.claimRef().claim())) {
        if (!pod.isTerminated()) {
          users.add(pod.key());
        }
      }
      users.sort(Comparator.naturalOrder());
    }
    return new RecycleView(
        volume, List.copyOf(users), pods.get(recycler).orElse(null), PodRelation.NONE);
  }

  @Override
  public List<Pod> runningRecyclers(ObjectKey volume) {
    List<Pod> recyclers = new ArrayList<>();
    for (Pod pod : pods.findByIndex(RecyclerPodNames.BY_VOLUME, volume.name())) {
      if (!pod.isTerminated()
          && RecyclerPodNames.scrubbedVolume(pod.key(), this::isVolume).isPresent()) {
        recyclers.add(pod);
      }
    }
    return recyclers;
  }

  // starts from the pods: few pods scrub at a time, but many volumes may have the same storage
  @Override
  public boolean isScrubbed(Volume volume, Set<String> namespaces) {
    for (String namespace : namespaces) {
      for (Pod pod : pods.findByIndex(RecyclerPodNames.BY_NAMESPACE, namespace)) {
        if (!pod.isTerminated() && scrubsStorage(pod, volume)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean scrubsStorage(Pod pod, Volume volume) {
    ObjectKey scrubbed = ObjectKey.cluster(RecyclerPodNames.namedVolume(pod.key(), this::isVolume));
    return scrubbed.equals(volume.key())
        || (!policy.compat().isKubernetes()
            && volumes
                .get(scrubbed)
                .filter(other -> VolumeIdentity.areTwins(other, volume))
                .isPresent());
  }

  private boolean isVolume(String name) {
    return volumes.get(ObjectKey.cluster(name)).isPresent();
  }

  private VolumeView.KnownClaim knownClaim(Volume volume) {
    if (volume.claimRef() == null) {
      return new VolumeView.KnownClaim.NotCached();
    }
    return claims
        .get(volume.claimRef().claim())
        .<VolumeView.KnownClaim>map(VolumeView.KnownClaim.Cached::new)
        .orElseGet(VolumeView.KnownClaim.NotCached::new);
  }
}
