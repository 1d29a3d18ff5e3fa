package dev.mooring.binder;

import dev.mooring.binder.decide.NearMisses;
import dev.mooring.binder.execute.BinderReporter;
import dev.mooring.binder.execute.BinderStats;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.EventStyle;
import dev.mooring.binder.execute.JobSaver;
import dev.mooring.binder.execute.RecyclerPod;
import dev.mooring.binder.execute.RecyclerStyle;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.execute.VolumeProvisioner;
import dev.mooring.binder.execute.VolumeReclaimer;
import dev.mooring.binder.execute.VolumeRecycler;
import dev.mooring.binder.observe.BinderViews;
import dev.mooring.binder.observe.VolumeReservations;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Informer;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SavePolicy;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.SharedStorageIndex;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

final class BinderExecution {
  record Lookups(
      BinderViews views, VolumeReservations reservations, Informer<StorageClass> classes) {}

  /**
   * Callbacks that requeue keys.
   *
   * @param reminded as {@code claim}, unless the claim backs off
   */
  record RequeueCallbacks(
      Consumer<ObjectKey> claim, Consumer<ObjectKey> reminded, Consumer<ObjectKey> volume) {}

  final KeyedOperations<ObjectKey> provisions;
  final KeyedOperations<ObjectKey> deletions;
  final BinderStats stats;
  final BinderReporter reporter;
  final DeletionBreaker breaker;
  final SavedVolumes saved = new SavedVolumes();
  final VolumeRecycler recycling;
  final VolumeReclaimer reclaiming;
  final ClaimExecutor claims;
  final VolumeExecutor volumes;

  BinderExecution(
      BinderConfig config,
      ClusterPorts ports,
      LoadedPlugins plugins,
      Lookups known,
      RequeueCallbacks wake) {
    Compat compat = config.policy().compat();
    Function<Volume, List<Volume>> twins = twins(compat, known.views().sources().volumes());
    this.provisions = new KeyedOperations<>("provision", ports.time(), compat, wake.claim());
    this.deletions = new KeyedOperations<>("delete", ports.time(), compat, wake.volume());
    this.stats = new BinderStats(ports.time());
    this.reporter =
        new BinderReporter(
            ports.events(), ports.time(), EventStyle.of(compat), config.tellsClaims());
    this.breaker =
        new DeletionBreaker(config.breaker().most(), config.breaker().window(), ports.time());
    this.recycling =
        new VolumeRecycler(
            ports, breaker, known.views()::recycling, reporter, method(config, twins));
    this.reclaiming =
        new VolumeReclaimer(
            new VolumeReclaimer.ReclaimTools(
                ports.writer(),
                ports.reader(),
                plugins,
                reporter,
                stats,
                name -> provisionerOf(name, known.classes()),
                twins),
            recycling,
            deletions,
            config.policy(),
            breaker);
    this.claims =
        new ClaimExecutor(
            ports.writer(),
            reporter,
            new VolumeProvisioner(ports, plugins, saver(ports, compat), provisions, stats),
            new ClaimExecutor.ClaimFacts(
                claim -> NearMisses.of(claim, known.reservations().sample()), saved::has),
            stats);
    this.volumes = new VolumeExecutor(ports.writer(), reporter, reclaiming, wake.reminded());
  }

  /** Kubernetes destroys storage that another volume refers to, as recorded. */
  private static Function<Volume, List<Volume>> twins(Compat compat, Informer<Volume> volumes) {
    return compat.isKubernetes()
        ? volume -> List.of()
        : volume -> SharedStorageIndex.of(volumes, volume);
  }

  private JobSaver saver(ClusterPorts ports, Compat compat) {
    return new JobSaver(
        ports, reporter, compat.isKubernetes() ? SavePolicy.KUBERNETES : SavePolicy.FEW_ATTEMPTS);
  }

  private static VolumeRecycler.RecyclingMethod method(
      BinderConfig config, Function<Volume, List<Volume>> twins) {
    return new VolumeRecycler.RecyclingMethod(
        Map.of(
            "hostPath",
            podSettings(config.recycle().hostPath()),
            "nfs",
            podSettings(config.recycle().nfs())),
        RecyclerStyle.of(config.policy().compat()),
        twins);
  }

  private static String provisionerOf(String className, Informer<StorageClass> classes) {
    return classes.get(ObjectKey.cluster(className)).map(StorageClass::provisioner).orElse("");
  }

  private static RecyclerPod.PodSettings podSettings(RecycleConfig.PodSettings given) {
    return new RecyclerPod.PodSettings(
        given.minimumSeconds(),
        given.secondsPerGib(),
        given.template().isEmpty() ? RecyclerPod.DEFAULT_TEMPLATE : given.template());
  }
}
