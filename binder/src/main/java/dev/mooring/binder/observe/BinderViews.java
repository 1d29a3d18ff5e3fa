package dev.mooring.binder.observe;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.binder.decide.EligibleNodes;
import dev.mooring.binder.decide.MissingPlugin;
import dev.mooring.binder.decide.MissingPlugin.PluginRole;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

public record BinderViews(Sources sources, LoadedPlugins plugins) {
  public record Sources(
      Informer<Claim> claims,
      Informer<Volume> volumes,
      Informer<StorageClass> classes,
      Informer<Pod> pods,
      Informer<Node> nodes) {}

  public Optional<ClaimView> claim(ObjectKey key) {
    return sources.claims().get(key).map(this::view);
  }

  private ClaimView view(Claim claim) {
    Optional<StorageClass> found =
        claim.className().isEmpty()
            ? Optional.empty()
            : sources.classes().get(ObjectKey.cluster(claim.className()));
    Provisioning provisioning =
        found
            .map(this::provisioning)
            .orElseGet(() -> new Provisioning.ByNobody("the claim has no class"));
    return new ClaimView(
        claim,
        found,
        claim.storageClass() == null ? defaultClass() : "",
        waitingPods(claim.key()),
        provisioning,
        isNodeGone(claim));
  }

  private boolean isNodeGone(Claim claim) {
    return claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)
        && sources
            .nodes()
            .get(ObjectKey.cluster(claim.meta().annotation(BinderMarks.SELECTED_NODE)))
            .isEmpty();
  }

  /** Returns the newest default class; the first by name among equals (spec 2.8). */
  private String defaultClass() {
    return StreamSupport.stream(sources.classes().snapshot().all().spliterator(), false)
        .filter(StorageClass::isDefault)
        .min(
            Comparator.comparingLong((StorageClass c) -> -c.meta().created())
                .thenComparing(c -> c.meta().name()))
        .map(c -> c.meta().name())
        .orElse("");
  }

  private List<String> waitingPods(ObjectKey claim) {
    List<String> names = new ArrayList<>();
    for (Pod pod : sources.pods().findByIndex(IndexSet.PODS_BY_CLAIM, claim)) {
      if (!pod.isTerminated() && pod.nodeName().isEmpty()) {
        names.add(pod.meta().name());
      }
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  public EligibleNodes eligible(Claim claim) {
    String selected = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return sources
        .nodes()
        .get(ObjectKey.cluster(selected))
        .map(EligibleNodes::selected)
        .orElseGet(() ->
            EligibleNodes.all(
                StreamSupport.stream(sources.nodes().snapshot().all().spliterator(), false)
                    .toList()));
  }

  public Provisioning provisioning(StorageClass storageClass) {
    String name = storageClass.provisioner();
    String migrated = BinderMarks.migrated(name);
    if (!migrated.isEmpty()) {
      return new Provisioning.ByOthers(migrated);
    }
    Optional<VolumePlugin> plugin = plugins.named(name);
    if (plugin.isPresent() && plugin.get().provisioner().isPresent()) {
      return new Provisioning.ByPlugin(name);
    }
    if (!name.startsWith(BinderMarks.IN_TREE)) {
      return new Provisioning.ByOthers(name);
    }
    return new Provisioning.ByNobody(
        plugin.isPresent()
            ? PluginRole.PROVISIONABLE.missing()
            : MissingPlugin.named(name, PluginRole.PROVISIONABLE));
  }

  public Optional<VolumeView> volume(ObjectKey key) {
    return sources.volumes().get(key).map(volume -> new VolumeView(volume, known(volume)));
  }

  public RecycleView recycling(Volume volume, ObjectKey recycler) {
    List<ObjectKey> users = new ArrayList<>();
    if (volume.claimRef() != null && sources.claims().get(volume.claimRef().claim()).isEmpty()) {
      for (Pod pod :
          sources.pods().findByIndex(IndexSet.PODS_BY_CLAIM, volume.claimRef().claim())) {
        if (!pod.isTerminated()) {
          users.add(pod.key());
        }
      }
      users.sort(Comparator.naturalOrder());
    }
    return new RecycleView(
        volume, List.copyOf(users), sources.pods().get(recycler).orElse(null), PodRelation.NONE);
  }

  private VolumeView.KnownClaim known(Volume volume) {
    if (volume.claimRef() == null) {
      return new VolumeView.KnownClaim.NotCached();
    }
    return sources
        .claims()
        .get(volume.claimRef().claim())
        .<VolumeView.KnownClaim>map(VolumeView.KnownClaim.Cached::new)
        .orElseGet(VolumeView.KnownClaim.NotCached::new);
  }
}
