package dev.mooring.manager.shadow;

import com.google.gson.JsonObject;
import dev.mooring.audit.AuditEntry;
import dev.mooring.audit.AuditSink;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.informer.Change;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.PacedListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.lifecycle.ManagerActions;
import dev.mooring.manager.shadow.pairing.ClassTally;
import dev.mooring.manager.shadow.pairing.IntendedWrite;
import dev.mooring.manager.shadow.pairing.PairedDifference;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.manager.telemetry.MetricsSource;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import dev.mooring.workqueue.ReconcileContext;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import dev.mooring.workqueue.ReconcileContext.ReconcileListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records what the controllers of a manager intend, and pairs it with what happens in the cluster.
 * Pass it to a manager, call {@link #begin} when the manager has started, and {@link #finish}
 * before it stops. Thread-safe.
 */
public final class ShadowSession implements ManagerActions {
  private static final long TICK_MILLIS = 200;
  private static final int MAX_KEPT = 100;
  private static final int MAX_PENDING = 2_000;
  private static final long ROOM_POLL_NANOS = 200_000;
  private static final List<Kind<? extends Resource>> COMPARED_KINDS =
      List.of(Kind.VOLUME, Kind.CLAIM, Kind.ATTACHMENT, Kind.NODE, Kind.ATTRIBUTES_CLASS);

  /** Change or action that the pairing thread processes, with its time. */
  @FunctionalInterface
  private interface Entry {
    void process(PairingLedger ledger);
  }

  private final Compat compat;
  private final Time time;
  private final PairingLedger ledger;
  private final SharedInformers informers = new SharedInformers();
  private final ChangeReader changes = new ChangeReader(informers);
  private final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>();
  private final AtomicLong pendingEntries = new AtomicLong();
  private final List<UnexplainedDifference> unexplained = new ArrayList<>();
  private final AtomicReference<@Nullable LiveReader> reader = new AtomicReference<>();
  private final DecisionPace pace = new DecisionPace();
  private volatile CountDownLatch judgement = new CountDownLatch(1);
  private volatile boolean isBegun;
  private volatile boolean isFinished;
  private @Nullable Thread thread;

  public ShadowSession(Compat compat, PairingLedger.Periods periods, Time time) {
    this.compat = compat;
    this.time = time;
    this.ledger = new PairingLedger(periods);
    for (Kind<? extends Resource> kind : COMPARED_KINDS) {
      informers.of(kind).onChange(change -> observe(kind, change));
    }
    informers.of(Kind.POD).onChange(change -> podChanged(change.object()));
    informers.of(Kind.STORAGE_CLASS).onChange(change -> classChanged(change.object()));
  }

  @Override
  public SharedInformers informers() {
    return informers;
  }

  @Override
  public <T extends Resource> ListWatch<T> watching(Kind<T> kind, ListWatch<T> source) {
    return COMPARED_KINDS.contains(kind) ? new PacedListWatch<>(source, pace) : source;
  }

  @Override
  public MetricsSource metrics() {
    return new ShadowMetrics(this);
  }

  @Override
  public Optional<DecisionComparison> comparison() {
    return Optional.of(ShadowPage.of(report()));
  }

  @Override
  public ClusterPorts makePorts(KubeCluster cluster, EventSink events, Time portTime) {
    reader.set(cluster);
    return new ClusterPorts(
        new RecordingWriter(informers, this::intend),
        cluster,
        event -> {},
        new KubeEvents(cluster),
        portTime);
  }

  @Override
  public BooleanSupplier permit(BooleanSupplier isLeader) {
    return () -> {
      ActionOrigin origin = ReconcileContext.actionOrigin();
      add(target -> target.countCall(origin));
      return false;
    };
  }

  @Override
  public AuditSink sink() {
    return new AuditSink() {
      @Override
      public void record(AuditEntry entry) {}

      @Override
      public void reconcileStarting(ReconcileListener reconcile) {
        awaitRoom();
        ActionOrigin origin = reconcile.actionOrigin();
        long nanos = time.nanos();
        add(target -> target.reconcileStarting(reconcile, origin, nanos));
      }

      @Override
      public void reconcileEnded(ReconcileListener reconcile) {
        ActionOrigin origin = reconcile.actionOrigin();
        long nanos = time.nanos();
        add(target -> target.reconcileEnded(reconcile, origin, nanos));
      }
    };
  }

  // After the start, hundreds of thousands of reconciles would otherwise fill the memory.
  private void awaitRoom() {
    while (isBegun && !isFinished && pendingEntries.get() > MAX_PENDING) {
      LockSupport.parkNanos(ROOM_POLL_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }

  private void add(Entry entry) {
    pendingEntries.incrementAndGet();
    entries.add(entry);
  }

  private void intend(IntendedWrite write) {
    long nanos = time.nanos();
    add(target -> target.intend(write, nanos));
  }

  // Runs under the informer's lock.
  private void observe(Kind<?> kind, Change<?> change) {
    if (isBegun) {
      long nanos = time.nanos();
      add(target -> target.observe(changes.read(kind, change), nanos));
    }
  }

  private void podChanged(Pod pod) {
    if (isBegun) {
      long nanos = time.nanos();
      Set<String> users = new TreeSet<>(Set.of(Kind.NODE + " " + pod.nodeName()));
      pod.claims()
          .forEach(
              claim -> users.add(Kind.CLAIM + " " + ObjectKey.of(pod.key().namespace(), claim)));
      add(target -> target.podChanged(users, pod.meta().resourceVersion(), nanos));
    }
  }

  private void classChanged(Resource object) {
    if (isBegun) {
      long nanos = time.nanos();
      add(target -> target.classChanged(object.meta().resourceVersion(), nanos));
    }
  }

  /**
   * @param queues statistics of the controllers' queues
   */
  public synchronized void begin(Supplier<List<QueueStats>> queues) {
    pace.setQueues(queues);
    isBegun = true;
    thread = VitalThreads.start("shadow", () -> isFinished, this::processEntries);
  }

  private void processEntries() {
    while (!isFinished) {
      try {
        Entry entry = entries.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (entry != null) {
          process(entry);
        }
        if (entries.isEmpty()) {
          CountDownLatch judged = judgement;
          judgeDue(Duration.ZERO);
          judgement = new CountDownLatch(1);
          judged.countDown();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  // At once, because the next write of a field hides the previous writer.
  private void attributeNew() throws InterruptedException {
    List<PairedDifference> found;
    synchronized (ledger) {
      found = ledger.takeNew();
    }
    for (PairedDifference finding : found) {
      if (new WholeObjects(reader(), informers).isForeign(finding)) {
        synchronized (ledger) {
          ledger.withdrawForeign(finding);
        }
      }
    }
  }

  private void process(Entry entry) throws InterruptedException {
    synchronized (ledger) {
      entry.process(ledger);
    }
    attributeNew();
    pendingEntries.decrementAndGet();
  }

  private void judgeDue(Duration passed) throws InterruptedException {
    List<PairedDifference> due;
    synchronized (ledger) {
      due = ledger.takeDue(time.nanos() + passed.toNanos());
    }
    for (PairedDifference finding : due) {
      judge(finding);
    }
  }

  private void judge(PairedDifference finding) throws InterruptedException {
    PodUse pods = new PodUse(informers);
    String row = KnownDifferences.findRow(finding, compat, pods).orElse("");
    boolean isUndecided =
        row.isEmpty()
            && (KnownDifferences.isOutcomeOfSlowWork(finding)
                || KnownDifferences.isForLeavingPod(finding, pods));
    List<JsonObject> states =
        row.isEmpty() && !isUndecided
            ? new WholeObjects(reader(), informers).before(finding)
            : List.of();
    synchronized (ledger) {
      if (!row.isEmpty()) {
        ledger.countOnPurpose(finding, row);
        return;
      }
      if (isUndecided) {
        ledger.countUndecided(finding);
        return;
      }
      ledger.countUnexplained(finding);
      if (unexplained.size() < MAX_KEPT) {
        unexplained.add(new UnexplainedDifference(finding, states));
      }
    }
  }

  private LiveReader reader() {
    LiveReader current = reader.get();
    if (current == null) {
      throw new IllegalStateException("no manager uses this shadow");
    }
    return current;
  }

  /**
   * Returns whether no key is queued or in process, and everything is paired. Keys may wait for a
   * retry.
   */
  public boolean isIdle() {
    return pace.isIdle() && pendingEntries.get() == 0;
  }

  public int unexplainedCount() {
    synchronized (ledger) {
      return ledger.tallies().values().stream().mapToInt(ClassTally::unexplained).sum();
    }
  }

  public List<UnexplainedDifference> unexplained() {
    synchronized (ledger) {
      return List.copyOf(unexplained);
    }
  }

  /** Waits until every difference that is due at the time of the call has been judged. */
  void awaitJudgement() throws InterruptedException {
    CountDownLatch processed = new CountDownLatch(1);
    add(target -> processed.countDown());
    processed.await();
    CountDownLatch judged = judgement;
    judged.await();
  }

  public ShadowReport report() {
    synchronized (ledger) {
      return ShadowReport.of(ledger.tallies(), unexplained);
    }
  }

  /** Ends the pairing and returns the results. Call it while the manager still runs. */
  public ShadowReport finish() throws InterruptedException {
    return finish(Duration.ZERO);
  }

  /**
   * Does the same for a cluster whose controllers have settled: every open intent of the shadow is
   * a difference, whatever its deadline is.
   */
  public ShadowReport finishSettled() throws InterruptedException {
    return finish(ledger.periods().maxDeadline());
  }

  private synchronized ShadowReport finish(Duration passed) throws InterruptedException {
    isFinished = true;
    Thread pairing = thread;
    if (pairing != null) {
      pairing.join();
    }
    for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
      process(entry);
    }
    judgeDue(passed);
    synchronized (ledger) {
      ledger.finish(time.nanos());
    }
    return report();
  }
}
