package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
import dev.mooring.informer.Change;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.EphemeralDecider;
import dev.mooring.protection.execute.EphemeralExecutor;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Controller;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** Creates the claims of pods' generic ephemeral volumes ({@code ephemeral-volume-controller}). */
public final class EphemeralVolumes {
  public static final String NAME = "ephemeral-volume-controller";

  // Some API servers enforce permissions on owner references. A reference that blocks the pod's
  // deletion then needs the right to update finalizers of pods.
  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("creating claims of generic ephemeral volumes")
          .mayCache(Kind.POD)
          .may(Kind.POD, Verb.GET)
          .may(Kind.CLAIM, Verb.CREATE)
          .may(new RbacRule.Target(Kind.POD.group(), "pods/finalizers", "", ""), Verb.UPDATE)
          .mayEmitEvents();

  public static final Comparator<Controller> FIRST =
      Comparator.comparing(controller -> !controller.name().equals(NAME));

  private static final Duration FIRST_PASS_TIMEOUT = Duration.ofSeconds(1);

  private final Informer<Claim> claims;
  private final Informer<Pod> pods;
  private final Compat compat;
  private final int workers;
  private final EphemeralExecutor executor;
  private final WorkQueue<ObjectKey> queue;

  @Inject
  public EphemeralVolumes(
      SharedInformers informers, ClusterPorts ports, Compat compat, ProtectionConfig config) {
    this.claims = informers.of(Kind.CLAIM);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.compat = compat;
    this.workers = config.ephemeralWorkers();
    this.executor = new EphemeralExecutor(ports.writer(), ports.reader(), ports.events());
    this.queue = WorkQueue.fair("ephemeral_volume", ports.time(), ObjectKey::namespace);
  }

  /**
   * Declares caches, event handlers and the queue. The first pass completes before other
   * controllers start. In Kubernetes the binder is ready later, so its first syncs include the
   * claims of existing pods.
   */
  public ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.builder(NAME)
            .reads(pods, claims)
            .addHandler(pods, this::podChanged)
            .addHandler(claims, this::claimChanged)
            .loop(queue, this::sync, workers);
    return compat.isKubernetes() ? spec.firstPass(queue, FIRST_PASS_TIMEOUT).build() : spec.build();
  }

  private void claimChanged(Change<Claim> change) {
    boolean hasNewOwner =
        change instanceof Change.Updated<Claim>(Claim before, Claim now)
            && !before.meta().controller().equals(now.meta().controller());
    if (change instanceof Change.Deleted<Claim> || hasNewOwner) {
      pods.findByIndex(IndexSet.PODS_BY_CLAIM, change.key()).forEach(this::enqueue);
    }
  }

  private void podChanged(Change<Pod> change) {
    switch (change) {
      case Change.Added<Pod>(Pod current) -> enqueue(current);
      case Change.Updated<Pod>(Pod old, Pod current) -> {
        if (old.isReplacedBy(current)) {
          enqueue(current);
        }
      }
      case Change.Deleted<Pod>(Pod last, _) -> {
        if (!last.ephemeral().isEmpty()) {
          queue.add(
              last.key()); // only after a running pass, which may still emit an event about the pod
        }
      }
    }
  }

  private void enqueue(Pod pod) {
    if (!pod.ephemeral().isEmpty() && !pod.meta().isBeingDeleted()) {
      queue.add(pod.key());
    }
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Pod> pod = pods.get(key);
    if (pod.isEmpty()) {
      executor.forget(key);
      return Outcome.SETTLED;
    }
    return executor.execute(
        pod.get(),
        DecisionLog.recordDecision(
            EphemeralDecider.decide(pod.get(), claim -> claims.get(claim), compat)));
  }

  public long creates() {
    return executor.creates();
  }

  public long failures() {
    return executor.failures();
  }
}
