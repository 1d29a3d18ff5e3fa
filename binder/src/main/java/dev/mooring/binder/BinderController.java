package dev.mooring.binder;

import com.google.inject.Inject;
import dev.mooring.binder.decide.NearMisses;
import dev.mooring.binder.execute.BinderReporter;
import dev.mooring.binder.execute.BinderStats;
import dev.mooring.binder.execute.ClaimExecutor;
import dev.mooring.binder.execute.Provisioning;
import dev.mooring.binder.execute.Reclaiming;
import dev.mooring.binder.execute.RecyclerPod;
import dev.mooring.binder.execute.Recycling;
import dev.mooring.binder.execute.VolumeExecutor;
import dev.mooring.binder.execute.WaitingConditions;
import dev.mooring.binder.observe.BinderViews;
import dev.mooring.binder.observe.Reservations;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Indexes;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.operation.DeletionBreaker;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The PersistentVolume controller ({@code persistentvolume-binder-controller}): sources, queues,
 * workers. Start it once, when leading; stop it once. Thread-safe.
 */
public final class BinderController {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "persistentvolume-binder-controller";

  /**
   * Claims are decided for under one lock: one is, and a few are ready. With two in all a burst of
   * binds on two busy cores is a tenth slower, because each waits for a core before the next may.
   */
  private static final int DECIDED_AT_ONCE = 6;

  private static final Duration CLAIMS_FIRST = Duration.ofMinutes(1);

  private final BinderConfig config;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<StorageClass> classes;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;
  private final ClusterPorts ports;
  private final WorkQueue<ObjectKey> claimQueue;
  private final WorkQueue<ObjectKey> volumeQueue;
  private final KeyedOperations<ObjectKey> provisions;
  private final KeyedOperations<ObjectKey> deletions;
  private final BinderReconcilers reconcilers;
  private final int claimsAtOnce;
  private final BinderEventHandlers handlers;
  private final DeletionBreaker breaker;
  private final BinderStats stats;
  private final BinderReporter reporter;

  /** A controller that does nothing yet. */
  @Inject
  public BinderController(
      BinderConfig config, SharedInformers informers, ClusterPorts ports, @InTree Plugins plugins) {
    this.config = config;
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.classes = informers.of(Kind.STORAGE_CLASS);
    this.pods = informers.of(Kind.POD, Indexes.PODS_BY_CLAIM);
    this.nodes = informers.of(Kind.NODE);
    this.ports = ports;
    // a namespace with many claims, or with claims that fail, holds up nobody else's
    this.claimQueue =
        WorkQueue.fair(
            "claims",
            ports.time(),
            new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP),
            ObjectKey::namespace,
            DECIDED_AT_ONCE);
    this.volumeQueue = new WorkQueue<>("volumes", ports.time());
    Compat compat = Compat.of(config.policy().kubernetes());
    this.provisions = new KeyedOperations<>("provision", ports.time(), compat, claimQueue::add);
    this.deletions = new KeyedOperations<>("delete", ports.time(), compat, volumeQueue::add);
    Reservations reservations =
        new Reservations(claimQueue::add, volumeQueue::add, config.policy().kubernetes());
    BinderViews views = new BinderViews(claims, volumes, classes, pods, nodes, plugins);
    this.stats = new BinderStats(ports.time());
    this.reporter =
        new BinderReporter(
            ports.events(), ports.time(), !config.policy().kubernetes(), config.tellsClaims());
    Provisioning provisioning =
        new Provisioning(
            ports.writer(), ports.reader(), plugins, reporter, ports.time(), provisions, stats);
    this.breaker =
        new DeletionBreaker(config.breaker().most(), config.breaker().window(), ports.time());
    Recycling recycling = new Recycling(ports, breaker, views::recycling, reporter, method(config));
    Reclaiming reclaiming =
        new Reclaiming(
            new Reclaiming.Tools(
                ports.writer(), ports.reader(), plugins, reporter, this::provisionerOf),
            recycling,
            deletions,
            config.policy(),
            breaker,
            stats);
    ClaimExecutor claimExecutor =
        new ClaimExecutor(
            ports.writer(),
            reporter,
            provisioning,
            claim -> NearMisses.of(claim, reservations.sample()),
            stats);
    VolumeExecutor volumeExecutor =
        new VolumeExecutor(ports.writer(), reporter, reclaiming, claimQueue::remind);
    // Kubernetes decides one claim after the other, and which of two claims gets a volume depends
    // on it
    this.claimsAtOnce = config.policy().kubernetes() ? 1 : config.workers();
    this.reconcilers =
        new BinderReconcilers(
            informers,
            ports.reader(),
            plugins,
            config.policy(),
            new BinderReconcilers.Parts(
                views,
                reservations,
                claimExecutor,
                volumeExecutor,
                config.tellsClaims()
                    ? Optional.of(new WaitingConditions(ports.writer(), reporter, ports.time()))
                    : Optional.empty()));
    this.handlers =
        new BinderEventHandlers(
            informers,
            new BinderEventHandlers.Listeners(
                reservations,
                claimExecutor,
                reclaiming,
                recycling,
                claimQueue::add,
                volumeQueue::add));
  }

  /** Whether a pod may be one that scrubs a recycled volume. */
  public static boolean scrubs(Pod pod) {
    return RecyclerPod.isOne(pod.key());
  }

  /**
   * What it is made of, to be run once. Claims come first: what they take saves a write. In
   * Kubernetes they come first too, because to judge one takes no write, and there a volume that
   * has no phase yet is not taken: claims are told so, and wait for the resync.
   */
  public ControllerSpec spec() {
    return ControllerSpec.named(NAME)
        .reads(classes, pods, nodes, volumes, claims)
        .once(handlers::volumes)
        .every(config.resync(), this::resync)
        .background()
        .once(handlers::claims)
        .loop(claimQueue, reconcilers::claim, claimsAtOnce)
        // a volume that a claim takes at once need not become Available first
        .firstPass(claimQueue, CLAIMS_FIRST)
        .loop(volumeQueue, reconcilers::volume, config.workers())
        .work(provisions)
        .work(deletions)
        .build();
  }

  /** Has everything looked at: claims first, then volumes. */
  void resync() {
    claims.snapshot().all().forEach(claim -> claimQueue.add(claim.key()));
    volumes.snapshot().all().forEach(volume -> volumeQueue.add(volume.key()));
  }

  /** What is counted for metrics. */
  public BinderMetrics metrics() {
    return new BinderMetrics(stats, reporter);
  }

  /** Whether an unusual number of deletions has stopped all of them. */
  public boolean areDeletionsHeld() {
    return breaker.isHolding();
  }

  /** How often that was. */
  public long breakerTrips() {
    return breaker.trips();
  }

  private static Recycling.Method method(BinderConfig config) {
    return new Recycling.Method(
        Map.of(
            "hostPath",
            podSettings(config.recycle().hostPath()),
            "nfs",
            podSettings(config.recycle().nfs())),
        config.policy().kubernetes());
  }

  private String provisionerOf(String className) {
    return classes
        .snapshot()
        .get(ObjectKey.cluster(className))
        .map(StorageClass::provisioner)
        .orElse("");
  }

  private static RecyclerPod.PodSettings podSettings(RecycleConfig.PodSettings given) {
    return new RecyclerPod.PodSettings(
        given.minimumSeconds(),
        given.secondsPerGib(),
        given.template().isEmpty() ? RecyclerPod.DEFAULT_TEMPLATE : given.template());
  }

  /** The circuit breaker on deletions, for others who destroy volumes in this process. */
  public DeletionBreaker breaker() {
    return breaker;
  }

  /** Lets deletions go on that the circuit breaker holds back. */
  public void resumeDeletions() {
    breaker.resume();
    volumes.snapshot().all().forEach(volume -> volumeQueue.add(volume.key()));
  }
}
