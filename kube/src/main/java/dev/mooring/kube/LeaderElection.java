package dev.mooring.kube;

import static java.util.Objects.requireNonNull;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.text.LogMessage;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Leader election with a Lease, compatible with client-go. A Lease counts as held until it has been
 * observed unchanged for its duration on our own monotonic clock. A released Lease is acquired at
 * once. Leases created by kubectl or Helm with missing fields are accepted.
 *
 * <p>A leader may act until {@link Config#renewDeadline} after the start of its last confirmed
 * renewal. {@link #remainingTerm} ends by the clock, and a watchdog on the timer reports the loss
 * at that moment, even if a renewal hangs. Only later may another replica acquire the Lease. A
 * renewal that throws has failed and is retried. Thread-safe.
 */
public final class LeaderElection {
  private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());
  private static final int RELEASE_ATTEMPTS = 3;

  /**
   * Settings, with the names and defaults of kube-controller-manager's flags.
   *
   * @param lease namespace and name of the Lease
   * @param identity unique identity of this process
   * @param leaseDuration time for which others wait for a leader that does not renew
   * @param renewDeadline time for which a leader acts without a renewal; less than the lease
   *     duration
   * @param retryPeriod time between attempts
   * @param labels labels that a new leader adds to the Lease; other labels stay
   */
  public record Config(
      ObjectKey lease,
      String identity,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod,
      Map<String, String> labels) {
    public Config {
      LeaseTimes.check(leaseDuration, renewDeadline, retryPeriod);
    }
  }

  /**
   * Ports of an election.
   *
   * @param writer writer that is not limited by this election's gate
   * @param events receive the event of a new leader
   * @param time clock, pauses and the watchdog's timer, which must not be blocked by other work
   * @param random returns a number from 0 to 1, for jitter
   * @param leaseWatch watch of the leader's renewals and release
   */
  public record Ports(
      ClusterWriter writer,
      LiveReader reader,
      EventSink events,
      Time time,
      DoubleSupplier random,
      LeaseWatch leaseWatch) {}

  private final Config config;
  private final Ports ports;
  private final ObservedLease observedLease;
  private final StandbyProblems problems;
  private volatile String holder = "";
  private volatile boolean isLeading;
  private volatile ClockReading lastRenewal = new ClockReading(0, Instant.EPOCH);
  private volatile @Nullable Thread renewer;
  private volatile boolean isReleased;
  private final AtomicBoolean isLost = new AtomicBoolean();

  public LeaderElection(Config config, Ports ports) {
    this.config = config;
    this.ports = ports;
    this.observedLease = new ObservedLease(config.leaseDuration(), ports.time());
    this.problems = new StandbyProblems(config.lease());
  }

  /** Creates an election without gates, windows and caps, because other writes depend on it. */
  public static LeaderElection over(
      KubeConnection connection,
      Config config,
      EventSink events,
      Time time,
      DoubleSupplier random) {
    AtomicReference<@Nullable LeaderElection> electionRef = new AtomicReference<>();
    KubeCluster direct =
        KubeCluster.impatient(
            connection, () -> requireNonNull(electionRef.get()).getCallLimit(), time);
    LeaseWatch leaseWatch = new KubeLeaseWatch(connection);
    LeaderElection election =
        new LeaderElection(config, new Ports(direct, direct, events, time, random, leaseWatch));
    electionRef.set(election);
    return election;
  }

  public ObjectKey lease() {
    return config.lease();
  }

  public void onStandbyProblem(Consumer<String> listener) {
    problems.listen(listener);
  }

  public boolean canWrite() {
    return remainingTerm().isPositive();
  }

  /**
   * Returns how long this process may act without another renewal; zero if it does not lead. Uses
   * the clock that has advanced further: the wall clock after a suspension.
   */
  public Duration remainingTerm() {
    return computeRemaining(lastRenewal.getElapsed(ports.time()).getLongest());
  }

  private Duration computeRemaining(Duration elapsed) {
    Duration remainingTerm = config.renewDeadline().minus(elapsed);
    return isLeading && remainingTerm.isPositive() ? remainingTerm : Duration.ZERO;
  }

  /**
   * Returns the limit of one call of the election. It is half of the remaining leadership, at most
   * half of the renew deadline, so that a hanging call leaves time for another.
   */
  public Duration getCallLimit() {
    long half = remainingTerm().toNanos() / 2;
    long maxNanos =
        config.renewDeadline().toNanos() / 2; // for a standby, no leadership expires meanwhile
    return Duration.ofNanos(
        half == 0 ? maxNanos : Math.clamp(half, config.retryPeriod().toNanos() / 2, maxNanos));
  }

  /**
   * Waits until this process leads, and renews the Lease from then on.
   *
   * @param onLost called once, on another thread, when leadership is lost; not after {@link
   *     #release}
   */
  public void lead(Runnable onLost) throws InterruptedException {
    while (!tryAttempt()) {
      pauseUntilFree(LeaseTimes.addJitter(config.retryPeriod(), ports.random().getAsDouble()));
    }
    checkDeadline(onLost);
    renewer =
        VitalThreads.start(
            "lease-renewal", () -> isReleased || isLost.get(), () -> renewUntilLost(onLost));
  }

  private void pauseUntilFree(Duration pause) throws InterruptedException {
    long startNanos = ports.time().nanos();
    Duration limit = observedLease.limitPause(pause);
    Lease heldLease = observedLease.lease();
    if (heldLease == null
        || heldLease.holder().isEmpty()
        || !ports.leaseWatch().awaitRelease(heldLease, limit, observedLease::observe)) {
      Duration remaining = limit.minusNanos(ports.time().nanos() - startNanos);
      ports.time().sleep(remaining.isPositive() ? remaining : Duration.ZERO);
    }
  }

  /**
   * Checks at the deadline only; a renewal postpones it. After a suspension, the next renewal
   * decides about the loss, not the wall clock.
   */
  private void checkDeadline(Runnable onLost) {
    if (!isReleased && !isLost.get()) {
      Duration remaining = computeRemaining(lastRenewal.getElapsed(ports.time()).monotonic());
      if (remaining.isPositive()) {
        ports.time().schedule(remaining, () -> checkDeadline(onLost));
      } else {
        reportLoss(onLost);
      }
    }
  }

  private void renewUntilLost(Runnable onLost) {
    try {
      Duration pause = config.retryPeriod();
      while (!isReleased && !isLost.get()) {
        if (pause.isPositive()) {
          ports.time().sleep(pause);
        }
        long startNanos = ports.time().nanos();
        pause = config.retryPeriod();
        if (!tryAttempt()) {
          if (!canWrite()) {
            reportLoss(onLost);
          }
          // the duration of a hanging attempt counts as part of the pause
          pause = pause.minusNanos(ports.time().nanos() - startNanos);
        }
      }
    } catch (InterruptedException byRelease) {
      Thread.currentThread().interrupt();
    }
  }

  private void reportLoss(Runnable onLost) {
    if (isReleased || !isLost.compareAndSet(false, true)) {
      return;
    }
    isLeading = false;
    LOG.log(
        Level.ERROR,
        () ->
            "leaderelection lost: leadership is lost, lease %s could not be renewed within %s s%s"
                .formatted(
                    config.lease(),
                    config.renewDeadline().toSeconds(),
                    holder.isEmpty() || holder.equals(config.identity())
                        ? ""
                        : ", now held by " + holder));
    onLost.run();
  }

  // Returns false also if the attempt throws, for example because credentials are unavailable.
  private boolean tryAttempt() throws InterruptedException {
    try {
      return acquireOrRenew();
    } catch (RuntimeException failed) {
      LOG.log(
          Level.WARNING,
          LogMessage.of("the lease cannot be renewed")
              .with("lease", config.lease())
              .withCause(failed));
      return false;
    }
  }

  boolean acquireOrRenew() throws InterruptedException {
    Lease knownLease = observedLease.lease();
    logSuspension();
    if (isLeading && knownLease != null && write(knownLease)) {
      return true; // no other writer has changed the Lease
    }
    return switch (ports.reader().read(Kind.LEASE, config.lease())) {
      case ReadResult.Failed<Lease>(String message) -> {
        LOG.log(
            Level.WARNING,
            LogMessage.of("the lease cannot be read")
                .with("lease", config.lease())
                .with(LogMessage.ERR, message));
        yield false;
      }
      case ReadResult.Absent<Lease> _ -> create();
      case ReadResult.Found<Lease>(Lease lease) -> {
        observedLease.observe(lease);
        yield isFree(lease) ? write(lease) : standBy(lease.holder());
      }
    };
  }

  private void logSuspension() {
    ClockReading.Elapsed elapsed = lastRenewal.getElapsed(ports.time());
    if (isLeading && !canWrite() && computeRemaining(elapsed.monotonic()).isPositive()) {
      LOG.log(
          Level.WARNING,
          () ->
              "the wall clock is %s s ahead, as after a suspended machine: no writes until lease %s is renewed"
                  .formatted(
                      elapsed.wall().minus(elapsed.monotonic()).toSeconds(), config.lease()));
    }
  }

  private boolean isFree(Lease lease) {
    return lease.holder().isEmpty()
        || lease.holder().equals(config.identity())
        || !observedLease.findTimeToExpiry().isPositive();
  }

  private boolean standBy(String newHolder) {
    problems.clear();
    if (isLeading) {
      isLeading = false; // taken over: the deadline need not pass
    }
    if (!newHolder.equals(holder)) {
      holder = newHolder;
      LOG.log(Level.INFO, () -> "standing by: " + newHolder + " leads");
    }
    return false;
  }

  private LeaseTerm makeTerm() {
    return LeaseTerm.of(config.identity(), config.leaseDuration(), ports.time().now());
  }

  private boolean create() throws InterruptedException {
    ClockReading start = ClockReading.readClocks(ports.time());
    LeaseTerm term = makeTerm();
    WriteResult<Lease> result =
        ports
            .writer()
            .create(Kind.LEASE, config.lease(), term.makeCreation(config.lease(), config.labels()));
    return isConfirmed(problems.explainCreation(result), term, start);
  }

  private boolean write(Lease lease) throws InterruptedException {
    ClockReading start = ClockReading.readClocks(ports.time());
    LeaseTerm term = makeTerm();
    return isConfirmed(
        ports.writer().patch(Kind.LEASE, config.lease(), term.makePatch(lease, config.labels())),
        term,
        start);
  }

  private boolean isConfirmed(WriteResult<Lease> result, LeaseTerm term, ClockReading start) {
    if (!(result instanceof WriteResult.Written<Lease>(Lease lease)) || !term.isStatedBy(lease)) {
      problems.report(result, isLeading);
      return false;
    }
    problems.clear();
    observedLease.observe(lease);
    if (start.getElapsed(ports.time()).getLongest().compareTo(config.renewDeadline()) >= 0) {
      LOG.log(Level.WARNING, () -> "lease " + config.lease() + " was renewed too late; retrying");
      return false;
    }
    lastRenewal = start;
    if (!isLeading && !isLost.get()) {
      isLeading = true;
      holder = config.identity();
      LOG.log(Level.INFO, () -> config.identity() + " leads by lease " + config.lease());
      ports
          .events()
          .emit(
              new ClusterEvent(
                  Kind.LEASE,
                  lease.meta(),
                  ClusterEvent.Type.NORMAL,
                  "LeaderElection",
                  "LeaderElection",
                  config.identity() + " became leader",
                  config.lease().name()));
    }
    return true;
  }

  public void release() throws InterruptedException {
    isReleased = true;
    Thread renewalThread = renewer;
    if (renewalThread != null) {
      renewalThread.interrupt();
      renewalThread.join(config.retryPeriod());
    }
    Lease lastLease = observedLease.lease();
    if (!isLeading || lastLease == null) {
      return;
    }
    isLeading = false;
    for (int attempt = 0; attempt < RELEASE_ATTEMPTS; attempt++) {
      if (tryRelease(lastLease)) {
        return;
      }
      // a renewal or a release may have succeeded although its response was lost
      if (ports.reader().read(Kind.LEASE, config.lease())
          instanceof ReadResult.Found<Lease>(Lease currentLease)) {
        if (!currentLease.holder().equals(config.identity())) {
          return;
        }
        lastLease = currentLease;
      }
    }
    LOG.log(
        Level.WARNING,
        () ->
            "lease %s could not be released: other replicas wait until it expires"
                .formatted(config.lease()));
  }

  private boolean tryRelease(Lease lastLease) throws InterruptedException {
    LeaseTerm releasedTerm = LeaseTerm.of("", Duration.ofSeconds(1), ports.time().now());
    return ports.writer().patch(Kind.LEASE, config.lease(), releasedTerm.makeRelease(lastLease))
            instanceof WriteResult.Written<Lease>(Lease written)
        && releasedTerm.isStatedBy(written);
  }
}
