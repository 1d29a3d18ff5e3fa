package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
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
 * a change. Therefore a full evaluation follows, which uses at most 10 % of the time. Thread-safe.
 */
public final class WaitingObjects {
  private static final System.Logger LOG = System.getLogger(WaitingObjects.class.getName());
  private static final Duration MIN_PAUSE = Duration.ofMillis(150);
  private static final Duration LIST_POLL_INTERVAL = Duration.ofMillis(50);

  // Upper bound between full evaluations: a lease expires without a watch event.
  private static final Duration FULL_EVALUATION_PERIOD = Duration.ofMinutes(1);

  private static final int FULL_PAUSE_FACTOR = 9;

  /**
   * Pause after a partial evaluation, as a multiple of its duration; shorter, because a user may be
   * watching.
   */
  private static final int PARTIAL_PAUSE_FACTOR = 3;

  private final FollowedCluster cluster;
  private final Time time;
  private final BoundTimes boundTimes;
  private final CompletionRates rates;
  private final WaitingHistory history;
  private final Time.Signal changes;
  private final Time.Signal updates;
  private final Set<SubjectRef> changedObjects = new HashSet<>(); // also guards the next six fields
  private Optional<ApiServerOutage> outage = Optional.empty();
  private long version;
  private boolean mayOthersDiffer;
  private @Nullable ClusterSnapshot lastSnapshot; // accessed by the background thread only
  private long earliestPartial;
  private long earliestFull;
  private long latestFull;
  private volatile WaitingSnapshot waitingSnapshot;
  private volatile boolean isRunning;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

  public WaitingObjects(FollowedCluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.boundTimes = new BoundTimes(time);
    this.rates = new CompletionRates(time);
    this.history = new WaitingHistory(time);
    this.changes = time.newSignal();
    this.updates = time.newSignal();
    this.waitingSnapshot = WaitingSnapshot.empty(time.now());
    this.latestFull = time.nanos();
  }

  public void start() {
    ClusterView clusterView = cluster.clusterView();
    cluster.kinds().forEach(kind -> addHandler(clusterView.informer(kind)));
    Informer<Claim> claims = clusterView.informer(Kind.CLAIM);
    claims.onChange(change -> boundTimes.claimChanged(change, claims.isSynced()));
    claims.onChange(rates::claimChanged);
    Informer<Volume> volumes = clusterView.informer(Kind.VOLUME);
    volumes.onChange(change -> rates.volumeChanged(change, volumes.isSynced()));
    cluster.onOutage(this::outageChanged);
    clusterView.informer(Kind.ATTACHMENT).onChange(rates::attachmentChanged);
    isRunning = true;
    thread = time.newThread("console", this::run);
    thread.start();
  }

  public void stop() throws InterruptedException {
    isRunning = false;
    changes.raise();
    updates.raise();
    thread.interrupt();
    thread.join();
  }

  private <T extends Resource> void addHandler(Informer<T> informer) {
    boolean hasPage = ConsoleSection.of(informer.kind()).isPresent();
    informer.onChange(change -> {
      if (isRenewal(change)) {
        return;
      }
      synchronized (changedObjects) {
        mayOthersDiffer = true;
        if (hasPage && waitingSnapshot.isComplete()) {
          changedObjects.add(new SubjectRef(informer.kind(), change.key()));
        }
      }
      changes.raise();
    });
  }

  /**
   * Publishes an outage without an evaluation, which might read from the unreachable API server.
   */
  private void outageChanged(Optional<ApiServerOutage> newOutage) {
    synchronized (changedObjects) {
      outage = newOutage;
      waitingSnapshot = waitingSnapshot.withOutage(newOutage, ++version);
    }
    updates.raise();
  }

  private void publish(WaitingSnapshot snapshot) {
    history.record(snapshot.countWaiting(Kind.CLAIM));
    synchronized (changedObjects) {
      waitingSnapshot = snapshot.withOutage(outage, ++version);
    }
    updates.raise();
  }

  // Ignores lease renewals; a full evaluation detects expired leases.
  private static boolean isRenewal(Change<?> change) {
    return change instanceof Change.Updated<?>(Lease old, Lease current)
        && old.holder().equals(current.holder());
  }

  public WaitingSnapshot snapshot() {
    return waitingSnapshot;
  }

  public CompletionRates rates() {
    return rates;
  }

  public WaitingHistory history() {
    return history;
  }

  public BoundTimes boundTimes() {
    return boundTimes;
  }

  public boolean awaitNewer(long version, Duration timeout) throws InterruptedException {
    return updates.await(() -> !isRunning || waitingSnapshot.version() != version, timeout)
        && isRunning;
  }

  public boolean isStopped() {
    return !isRunning;
  }

  private void run() {
    try {
      while (isRunning && !cluster.isListed()) {
        changes.await(() -> !isRunning, LIST_POLL_INTERVAL);
      }
      while (isRunning) {
        long dueTime = nextDue();
        changes.await(
            () -> !isRunning || nextDue() < dueTime || dueTime <= time.nanos(),
            Duration.ofNanos(Math.max(0, dueTime - time.nanos())));
        if (isRunning && nextDue() <= time.nanos()) {
          runDueEvaluation();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long nextDue() {
    synchronized (changedObjects) {
      long time = latestFull;
      time = mayOthersDiffer ? Math.min(time, earliestFull) : time;
      return changedObjects.isEmpty() ? time : Math.min(time, earliestPartial);
    }
  }

  private void runDueEvaluation() throws InterruptedException {
    long start = time.nanos();
    boolean isFull;
    Set<SubjectRef> subjects;
    synchronized (changedObjects) {
      isFull =
          start >= latestFull
              || mayOthersDiffer && changedObjects.isEmpty() && start >= earliestFull;
      subjects = Set.copyOf(changedObjects);
      changedObjects.clear();
      mayOthersDiffer = !isFull; // a full evaluation finds objects that depend on the changed ones
    }
    publish(isFull ? evaluateAll() : evaluate(subjects));
    lastSnapshot =
        isFull ? null : lastSnapshot; // allows the snapshot's caches to be garbage-collected
    long end = time.nanos();
    long duration = end - start;
    synchronized (changedObjects) {
      earliestPartial =
          end + Math.max(MIN_PAUSE.toNanos(), isFull ? 0 : PARTIAL_PAUSE_FACTOR * duration);
      if (isFull) {
        earliestFull = end + Math.max(MIN_PAUSE.toNanos(), FULL_PAUSE_FACTOR * duration);
        latestFull = Math.max(end + FULL_EVALUATION_PERIOD.toNanos(), earliestFull);
      }
    }
  }

  private ClusterSnapshot currentSnapshot() {
    ClusterSnapshot snapshot = lastSnapshot;
    if (snapshot == null || !isCurrent(snapshot.clusterView())) {
      snapshot = cluster.takeSnapshot();
      lastSnapshot = snapshot;
    }
    return snapshot;
  }

  private boolean isCurrent(ClusterView oldView) {
    ClusterView newView = cluster.clusterView();
    return cluster.kinds().stream()
        .allMatch(kind -> oldView.informer(kind).snapshot() == newView.informer(kind).snapshot());
  }

  private WaitingSnapshot evaluateAll() throws InterruptedException {
    Evaluation evaluation = new Evaluation(currentSnapshot(), new HashMap<>());
    for (ConsoleSection section : ConsoleSection.values()) {
      for (Resource object :
          evaluation.snapshot.clusterView().informer(section.kind()).snapshot().objects()) {
        evaluation.evaluate(new SubjectRef(section.kind(), object.key()));
      }
    }
    return evaluation.toSnapshot(evaluation.failures);
  }

  private WaitingSnapshot evaluate(Set<SubjectRef> subjects) throws InterruptedException {
    Evaluation evaluation =
        new Evaluation(currentSnapshot(), new HashMap<>(waitingSnapshot.objects()));
    for (SubjectRef subject : subjects) {
      evaluation.objects.remove(subject);
      evaluation.evaluate(subject);
    }
    return evaluation.toSnapshot(waitingSnapshot.unexplained() + evaluation.failures);
  }

  private final class Evaluation {
    private final ClusterSnapshot snapshot;
    private final Map<SubjectRef, List<Explanation>> objects;
    private int failures;

    Evaluation(ClusterSnapshot snapshot, Map<SubjectRef, List<Explanation>> objects) {
      this.snapshot = snapshot;
      this.objects = objects;
    }

    /** Evaluates one object. A failure must not hide the other objects. */
    void evaluate(SubjectRef subject) throws InterruptedException {
      try {
        List<Explanation> explanations = snapshot.explainWaiting(subject.kind(), subject.key());
        if (!explanations.isEmpty()) {
          objects.put(subject, explanations);
        }
      } catch (RuntimeException e) {
        if (failures++ == 0) {
          LOG.log(Level.ERROR, () -> subject + ": explanation failed", e);
        }
      }
    }

    WaitingSnapshot toSnapshot(int unexplained) {
      return new WaitingSnapshot(
          0, time.now(), true, objects, snapshot.unseen(), unexplained, Optional.empty());
    }
  }
}
