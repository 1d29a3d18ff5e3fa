package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the set of waiting objects on a background thread. Evaluates a changed object
 * immediately, using at most a quarter of the time. Other objects may wait for another reason after
 * a change. Therefore a full evaluation follows, which uses at most a tenth of the time.
 * Thread-safe.
 */
public final class WaitingObjects {
  private static final System.Logger LOG = System.getLogger(WaitingObjects.class.getName());
  private static final Duration BETWEEN_EVALUATIONS = Duration.ofMillis(150);
  private static final Duration UNTIL_LISTED = Duration.ofMillis(50);

  // Upper bound between full evaluations: a lease expires without a watch event.
  private static final Duration FULL_EVALUATION_PERIOD = Duration.ofMinutes(1);

  private static final int PAUSE_AFTER_ALL = 9;

  /**
   * Pause after a partial evaluation, as a multiple of its duration; shorter, because a user may be
   * watching.
   */
  private static final int PAUSE_AFTER_SOME = 3;

  private final FollowedCluster cluster;
  private final Time time;
  private final BoundTimes bound;
  private final CompletionRates rates;
  private final Time.Signal changes;
  private final Time.Signal updates;
  private final Set<SubjectRef> changed = new HashSet<>(); // also guards the next six fields
  private Optional<ApiServerOutage> outage = Optional.empty();
  private long version;
  private boolean othersMayDiffer;
  private @Nullable ClusterSnapshot last; // accessed by the background thread only
  private long mayEvaluate;
  private long mayEvaluateAll;
  private long mustEvaluateAll;
  private volatile WaitingSnapshot waiting;
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

  public WaitingObjects(FollowedCluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.bound = new BoundTimes(time);
    this.rates = new CompletionRates(time);
    this.changes = time.signal();
    this.updates = time.signal();
    this.waiting = WaitingSnapshot.begin(time.now());
    this.mustEvaluateAll = time.nanos();
  }

  public void start() {
    ClusterView clusterView = cluster.clusterView();
    cluster.kinds().forEach(kind -> follow(clusterView.informer(kind)));
    clusterView.informer(Kind.CLAIM).onChange(bound::changed);
    clusterView.informer(Kind.CLAIM).onChange(rates::ofClaim);
    Informer<Volume> volumes = clusterView.informer(Kind.VOLUME);
    volumes.onChange(change -> rates.ofVolume(change, volumes.isSynced()));
    cluster.onOutage(this::outageChanged);
    clusterView.informer(Kind.ATTACHMENT).onChange(rates::ofAttachment);
    running = true;
    thread = time.thread("console", this::run);
    thread.start();
  }

  public void stop() throws InterruptedException {
    running = false;
    changes.raise();
    updates.raise();
    thread.interrupt();
    thread.join();
  }

  private <T extends Resource> void follow(Informer<T> informer) {
    boolean hasPage = ConsoleSection.of(informer.kind()).isPresent();
    informer.onChange(change -> {
      if (isRenewal(change)) {
        return;
      }
      synchronized (changed) {
        othersMayDiffer = true;
        if (hasPage && waiting.isComplete()) {
          changed.add(new SubjectRef(informer.kind(), change.key()));
        }
      }
      changes.raise();
    });
  }

  /**
   * Publishes an outage without an evaluation, which might read from the unreachable API server.
   */
  private void outageChanged(Optional<ApiServerOutage> now) {
    synchronized (changed) {
      outage = now;
      waiting = waiting.during(now, ++version);
    }
    updates.raise();
  }

  private void publish(WaitingSnapshot found) {
    synchronized (changed) {
      waiting = found.during(outage, ++version);
    }
    updates.raise();
  }

  // Ignores lease renewals; a full evaluation detects expired leases.
  private static boolean isRenewal(Change<?> change) {
    return change instanceof Change.Updated<?>(Lease before, Lease now)
        && before.holder().equals(now.holder());
  }

  public WaitingSnapshot now() {
    return waiting;
  }

  public CompletionRates rates() {
    return rates;
  }

  public BoundTimes bound() {
    return bound;
  }

  public boolean awaitNewer(long version, Duration atMost) throws InterruptedException {
    return updates.await(() -> !running || waiting.version() != version, atMost) && running;
  }

  public boolean isOver() {
    return !running;
  }

  private void run() {
    try {
      while (running && !cluster.isListed()) {
        changes.await(() -> !running, UNTIL_LISTED);
      }
      while (running) {
        long due = due();
        changes.await(
            () -> !running || due() < due || due <= time.nanos(),
            Duration.ofNanos(Math.max(0, due - time.nanos())));
        if (running && due() <= time.nanos()) {
          runDueEvaluation();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private long due() {
    synchronized (changed) {
      long due = mustEvaluateAll;
      due = othersMayDiffer ? Math.min(due, mayEvaluateAll) : due;
      return changed.isEmpty() ? due : Math.min(due, mayEvaluate);
    }
  }

  private void runDueEvaluation() throws InterruptedException {
    long began = time.nanos();
    boolean full;
    Set<SubjectRef> some;
    synchronized (changed) {
      full =
          began >= mustEvaluateAll
              || othersMayDiffer && changed.isEmpty() && began >= mayEvaluateAll;
      some = Set.copyOf(changed);
      changed.clear();
      othersMayDiffer = !full; // a full evaluation finds objects that depend on the changed ones
    }
    publish(full ? evaluateAll() : evaluate(some));
    last = full ? null : last; // allows the snapshot's caches to be garbage-collected
    long ended = time.nanos();
    long took = ended - began;
    synchronized (changed) {
      mayEvaluate =
          ended + Math.max(BETWEEN_EVALUATIONS.toNanos(), full ? 0 : PAUSE_AFTER_SOME * took);
      if (full) {
        mayEvaluateAll = ended + Math.max(BETWEEN_EVALUATIONS.toNanos(), PAUSE_AFTER_ALL * took);
        mustEvaluateAll = Math.max(ended + FULL_EVALUATION_PERIOD.toNanos(), mayEvaluateAll);
      }
    }
  }

  private ClusterSnapshot currentSnapshot() {
    ClusterSnapshot known = last;
    if (known == null || !isNow(known.clusterView())) {
      known = cluster.takeSnapshot();
      last = known;
    }
    return known;
  }

  private boolean isNow(ClusterView then) {
    ClusterView now = cluster.clusterView();
    return cluster.kinds().stream()
        .allMatch(kind -> then.informer(kind).snapshot() == now.informer(kind).snapshot());
  }

  private WaitingSnapshot evaluateAll() throws InterruptedException {
    Evaluation evaluation = new Evaluation(currentSnapshot(), new HashMap<>());
    for (ConsoleSection section : ConsoleSection.values()) {
      for (Resource object :
          evaluation.view.clusterView().informer(section.kind()).snapshot().all()) {
        evaluation.evaluate(new SubjectRef(section.kind(), object.key()));
      }
    }
    return evaluation.result(evaluation.failures);
  }

  private WaitingSnapshot evaluate(Set<SubjectRef> some) throws InterruptedException {
    Evaluation evaluation = new Evaluation(currentSnapshot(), new HashMap<>(waiting.objects()));
    for (SubjectRef one : some) {
      evaluation.objects.remove(one);
      evaluation.evaluate(one);
    }
    return evaluation.result(waiting.unexplained() + evaluation.failures);
  }

  private final class Evaluation {
    private final ClusterSnapshot view;
    private final Map<SubjectRef, List<Explanation>> objects;
    private int failures;

    Evaluation(ClusterSnapshot view, Map<SubjectRef, List<Explanation>> objects) {
      this.view = view;
      this.objects = objects;
    }

    /** Evaluates one object. A failure must not hide the other objects. */
    void evaluate(SubjectRef subject) throws InterruptedException {
      try {
        List<Explanation> why = view.waiting(subject.kind(), subject.key());
        if (!why.isEmpty()) {
          objects.put(subject, why);
        }
      } catch (RuntimeException bug) {
        if (failures++ == 0) {
          LOG.log(Level.ERROR, () -> subject + ": explanation failed", bug);
        }
      }
    }

    WaitingSnapshot result(int unexplained) {
      return new WaitingSnapshot(
          0, time.now(), true, objects, view.unseen(), unexplained, Optional.empty());
    }
  }
}
