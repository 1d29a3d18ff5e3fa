package dev.mooring.binder;

import com.google.inject.Inject;
import dev.mooring.binder.BinderConfig.RecycleConfig;
import dev.mooring.binder.BinderModule.InTree;
import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.execute.BinderReporter;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.EventStyle;
import dev.mooring.binder.execute.JobSaver;
import dev.mooring.binder.execute.ProvisionerMark;
import dev.mooring.binder.execute.RecyclerPodTemplates;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.execute.VolumeProvisioner;
import dev.mooring.binder.execute.VolumeReclaimer;
import dev.mooring.binder.execute.VolumeRecycler;
import dev.mooring.binder.observe.BinderEventHandlers;
import dev.mooring.binder.observe.PeriodicResync;
import dev.mooring.binder.state.BinderQueues;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.binder.state.RecyclerPodNames;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.SavePolicy;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.SharedStorageIndex;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The PersistentVolume controller ({@code persistentvolume-binder-controller}): event handlers,
 * queues and workers. Start it once, when leading; stop it once. Thread-safe.
 */
public final class BinderController {
  public static final String NAME = "persistentvolume-binder-controller";

  private static final Duration FIRST_PASS_TIMEOUT = Duration.ofMinutes(1);

  private final BinderConfig config;
  private final SharedInformers informers;
  private final BinderQueues queues;
  private final BinderState state;
  private final BinderReconcilers createReconcilers;
  private final BinderEventHandlers handlers;
  private final PeriodicResync resync;

  @Inject
  public BinderController(
      BinderConfig config,
      SharedInformers informers,
      ClusterPorts ports,
      @InTree LoadedPlugins plugins) {
    this.config = config;
    this.informers = informers;
    Informer<Volume> volumes = informers.of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
    informers.of(
        Kind.POD,
        IndexSet.PODS_BY_CLAIM,
        RecyclerPodNames.BY_VOLUME,
        RecyclerPodNames.BY_NAMESPACE);
    this.queues = new BinderQueues(volumes, ports.time());
    this.state =
        new BinderState(
            config.policy(),
            ports.time(),
            new DeletionGuards(
                new DeletionBreaker(
                    config.breaker().maximum(), config.breaker().window(), ports.time()),
                new DeletionDelay(config.delay(), informers, ports)),
            queues);
    informers.onRestore((kind, before, now) -> breaker().holdAfterRestore());
    this.createReconcilers = createReconcilers(ports, plugins);
    this.handlers = new BinderEventHandlers(informers, state, queues);
    this.resync =
        new PeriodicResync(
            config.resync(),
            ports.time(),
            () -> keys(informers.of(Kind.CLAIM)),
            () -> keys(volumes),
            queues);
  }

  private BinderReconcilers createReconcilers(ClusterPorts ports, LoadedPlugins plugins) {
    Compat compat = config.policy().compat();
    BinderViews views = new BinderViews(informers::of, plugins, config.policy());
    BinderReporter reporter =
        new BinderReporter(
            ports.events(),
            state.eventMemory(),
            EventStyle.of(compat),
            config.writesWaitingConditions());
    JobSaver saver =
        new JobSaver(
            ports,
            reporter,
            compat.isKubernetes() ? SavePolicy.KUBERNETES : SavePolicy.FEW_ATTEMPTS);
    VolumeProvisioner provisioner = new VolumeProvisioner(ports, plugins, reporter, saver, state);
    VolumeRecycler recycler =
        new VolumeRecycler(ports, views, createTemplates(config), reporter, state);
    VolumeReclaimer reclaimer = new VolumeReclaimer(ports, views, reporter, recycler, state);
    return new BinderReconcilers(
        ports,
        views,
        state,
        new ClaimExecutor(ports, reporter, provisioner, state, ProvisionerMark.of(compat)),
        new VolumeExecutor(ports.writer(), reporter, reclaimer, state, queues));
  }

  private static RecyclerPodTemplates createTemplates(BinderConfig config) {
    return new RecyclerPodTemplates(
        Map.of(
            "hostPath",
            toPodSettings(config.recycle().hostPath()),
            "nfs",
            toPodSettings(config.recycle().nfs())),
        RecyclerStyle.of(config.policy().compat()));
  }

  private static RecyclerPodTemplates.PodSettings toPodSettings(
      RecycleConfig.PodSettings settings) {
    return new RecyclerPodTemplates.PodSettings(
        settings.namespace(),
        settings.minimumSeconds(),
        settings.secondsPerGib(),
        settings.template().isEmpty()
            ? RecyclerPodTemplates.DEFAULT_TEMPLATE
            : settings.template());
  }

  private static Iterator<ObjectKey> keys(Informer<?> informer) {
    Iterator<? extends Resource> resources = informer.snapshot().objects().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return resources.hasNext();
      }

      @Override
      public ObjectKey next() {
        return resources.next().key();
      }
    };
  }

  public static boolean isPossiblyBeingDestroyed(Volume volume) {
    return BinderMarks.isPossiblyBeingDestroyed(volume);
  }

  public static boolean hasRecyclerName(Pod pod) {
    return RecyclerPodNames.isRecyclerName(pod.key());
  }

  /**
   * Returns the volume that a pod scrubs if the pod has Mooring's name for it.
   *
   * @param volumes names of all volumes
   */
  public static Optional<String> scrubbedVolume(ObjectKey pod, Set<String> volumes) {
    return RecyclerPodNames.scrubbedVolume(pod, volumes::contains);
  }

  /**
   * Declares caches, event handlers and queues. The first pass handles claims before volumes,
   * because a volume that a claim takes needs no write of its own. Kubernetes also begins with
   * claims. There a volume without a phase is not taken, and its claim waits for the resync.
   */
  public ControllerSpec spec() {
    // Kubernetes decides claims one by one, and the order determines which of two claims gets a
    // volume
    int claimsAtOnce = config.policy().compat().isKubernetes() ? 1 : config.workers();
    return ControllerSpec.builder(NAME)
        .reads(
            informers.of(Kind.STORAGE_CLASS),
            informers.of(Kind.POD),
            informers.of(Kind.NODE),
            informers.of(Kind.VOLUME),
            informers.of(Kind.CLAIM))
        .once(handlers::watchVolumes)
        .repeat(config.resync(), resync::requeueBatch)
        .background()
        .once(handlers::watchClaims)
        .loop(queues.claims(), createReconcilers::syncClaim, claimsAtOnce)
        // a volume that a claim takes immediately need not become Available first
        .firstPass(queues.claims(), FIRST_PASS_TIMEOUT)
        .loop(queues.volumes(), createReconcilers::syncVolume, config.workers())
        .work(state.provisions())
        .work(state.deletions())
        .build();
  }

  void resync() {
    resync.finishRound();
  }

  public BinderMetrics metrics() {
    return new BinderMetrics(state.stats(), state.eventMemory());
  }

  public boolean areDeletionsHeld() {
    return breaker().isHolding();
  }

  public long breakerTrips() {
    return breaker().tripCount();
  }

  public DeletionBreaker breaker() {
    return state.breaker();
  }

  DeletionGuards guards() {
    return state.guards();
  }

  public DeletionDelay.Backlog condemnedVolumes() {
    return guards().delay().backlog();
  }

  ProtectionHandover handover() {
    return state.handover();
  }

  public SavedVolumes savedVolumes() {
    return state.savedVolumes();
  }

  public String resumeDeletions() throws InterruptedException {
    String problem = breaker().resume();
    if (problem.isEmpty()) {
      informers
          .of(Kind.VOLUME)
          .snapshot()
          .objects()
          .forEach(volume -> queues.requeueVolume(volume.key()));
    }
    return problem;
  }
}
