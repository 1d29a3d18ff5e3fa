package dev.mooring.binder;

import com.google.inject.Inject;
import dev.mooring.binder.execute.RecyclerPod;
import dev.mooring.binder.execute.WaitingConditions;
import dev.mooring.binder.observe.BinderViews;
import dev.mooring.binder.observe.ConfirmedAbsences;
import dev.mooring.binder.observe.VolumeMemory;
import dev.mooring.binder.observe.VolumeReservations;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;

/**
 * The PersistentVolume controller ({@code persistentvolume-binder-controller}): event handlers,
 * queues and workers. Start it once, when leading; stop it once. Thread-safe.
 */
public final class BinderController {
  public static final String NAME = "persistentvolume-binder-controller";

  /**
   * Decisions about claims share one lock: one runs, and a few are prepared. With two in all, a
   * burst of bindings on two busy cores takes 10 % longer, because each waits for a core before the
   * next may begin.
   */
  private static final int DECIDED_AT_ONCE = 6;

  private static final Duration CLAIMS_FIRST = Duration.ofMinutes(1);

  private final BinderConfig config;
  private final BinderViews.Sources sources;
  private final WorkQueue<ObjectKey> claimQueue;
  private final WorkQueue<ObjectKey> volumeQueue;
  private final BinderExecution execution;
  private final VolumeMemory memory = new VolumeMemory();
  private final BinderReconcilers reconcilers;
  private final int claimsAtOnce;
  private final BinderEventHandlers handlers;
  private final PeriodicResync resync;

  @Inject
  public BinderController(
      BinderConfig config,
      SharedInformers informers,
      ClusterPorts ports,
      @InTree LoadedPlugins plugins) {
    this.config = config;
    this.sources = sources(informers);
    this.claimQueue = claimQueue(ports.time());
    this.volumeQueue =
        WorkQueue.fair("volumes", ports.time(), ServedNamespace.ofVolumes(sources.volumes()));
    VolumeReservations reservations =
        new VolumeReservations(claimQueue::add, volumeQueue::add, config.policy());
    BinderViews views = new BinderViews(sources, plugins);
    this.execution =
        new BinderExecution(
            config,
            ports,
            plugins,
            new BinderExecution.Lookups(views, reservations, sources.classes()),
            new BinderExecution.RequeueCallbacks(
                claimQueue::add, claimQueue::addIfNotBackingOff, volumeQueue::add));
    informers.onRestore((kind, before, now) -> breaker().holdAfterRestore());
    // Kubernetes decides claims one by one, and the order determines which of two claims gets a
    // volume
    this.claimsAtOnce = config.policy().compat().isKubernetes() ? 1 : config.workers();
    this.reconcilers =
        new BinderReconcilers(
            informers, ports.reader(), plugins, config.policy(), parts(ports, views, reservations));
    this.handlers =
        new BinderEventHandlers(
            informers,
            new BinderEventHandlers.ChangeListeners(
                reservations,
                memory,
                execution.claims,
                execution.reclaiming,
                execution.recycling,
                claimQueue::add,
                claimQueue::addExpedited,
                volumeQueue::add));
    this.resync = resync(ports.time());
  }

  private BinderReconcilers.ReconcilerParts parts(
      ClusterPorts ports, BinderViews views, VolumeReservations reservations) {
    return new BinderReconcilers.ReconcilerParts(
        views,
        reservations,
        execution.claims,
        execution.volumes,
        new ConfirmedAbsences(sources.claims()::watchedVersion, ports.time()),
        memory,
        conditions(ports));
  }

  private PeriodicResync resync(Time time) {
    return new PeriodicResync(
        config.resync(),
        time,
        new PeriodicResync.KeySource(() -> keys(sources.claims()), claimQueue::add),
        new PeriodicResync.KeySource(() -> keys(sources.volumes()), volumeQueue::add));
  }

  private static Iterator<ObjectKey> keys(Informer<?> informer) {
    Iterator<? extends Resource> all = informer.snapshot().all().iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public ObjectKey next() {
        return all.next().key();
      }
    };
  }

  private static BinderViews.Sources sources(SharedInformers informers) {
    return new BinderViews.Sources(
        informers.of(Kind.CLAIM),
        informers.of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE),
        informers.of(Kind.STORAGE_CLASS),
        informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM),
        informers.of(Kind.NODE));
  }

  /** A fair queue: a namespace with many or failing claims does not delay other namespaces. */
  private static WorkQueue<ObjectKey> claimQueue(Time time) {
    return WorkQueue.fair(
        "claims",
        time,
        new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
        ObjectKey::namespace,
        DECIDED_AT_ONCE);
  }

  private Optional<WaitingConditions> conditions(ClusterPorts ports) {
    return config.tellsClaims()
        ? Optional.of(new WaitingConditions(ports.writer(), execution.reporter, ports.time()))
        : Optional.empty();
  }

  public static boolean mayBeRecycler(Pod pod) {
    return RecyclerPod.isOne(pod.key());
  }

  /**
   * Declares caches, event handlers and queues. The first pass handles claims before volumes,
   * because a volume that a claim takes needs no write of its own. Kubernetes also begins with
   * claims. There a volume without a phase is not taken, and its claim waits for the resync.
   */
  public ControllerSpec spec() {
    return ControllerSpec.named(NAME)
        .reads(
            sources.classes(), sources.pods(), sources.nodes(), sources.volumes(), sources.claims())
        .once(handlers::watchVolumes)
        .every(config.resync(), resync::step)
        .background()
        .once(handlers::watchClaims)
        .loop(claimQueue, reconcilers::syncClaim, claimsAtOnce)
        // a volume that a claim takes immediately need not become Available first
        .firstPass(claimQueue, CLAIMS_FIRST)
        .loop(volumeQueue, reconcilers::syncVolume, config.workers())
        .work(execution.provisions)
        .work(execution.deletions)
        .build();
  }

  void resync() {
    resync.finish();
  }

  public BinderMetrics metrics() {
    return new BinderMetrics(execution.stats, execution.reporter);
  }

  public boolean areDeletionsHeld() {
    return breaker().isHolding();
  }

  public long breakerTrips() {
    return breaker().trips();
  }

  public DeletionBreaker breaker() {
    return execution.breaker;
  }

  public SavedVolumes saved() {
    return execution.saved;
  }

  public String resumeDeletions() throws InterruptedException {
    String problem = breaker().resume();
    if (problem.isEmpty()) {
      sources.volumes().snapshot().all().forEach(volume -> volumeQueue.add(volume.key()));
    }
    return problem;
  }
}
