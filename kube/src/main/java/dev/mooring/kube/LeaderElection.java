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
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One leader among replicas, by a Lease, with client-go's conduct: a Lease counts as held until it
 * has been seen unchanged for its duration, on our own monotonic clock; a released one is taken at
 * once; one made by kubectl or Helm, with fields missing, is as good as any.
 *
 * <p>Who leads may act until {@link Config#renewDeadline} after the beginning of the last renewal
 * that the server confirmed, and no longer: {@link #left} ends by the clock, and a watchdog on the
 * timer says so at that moment, whatever the renewal hangs on. That is before another replica may
 * take the Lease. Whatever a renewal throws, it has failed and is tried again. Thread-safe.
 */
public final class LeaderElection {
  private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());
  private static final int RELEASE_TRIES = 3;

  /**
   * How it is done; the names and defaults are those of kube-controller-manager's flags.
   *
   * @param lease namespace and name of the Lease
   * @param identity who we are, different for every process
   * @param leaseDuration how long others wait for a leader that does not renew
   * @param renewDeadline how long a leader that cannot renew goes on; less than the lease duration
   * @param retryPeriod between two tries
   */
  public record Config(
      ObjectKey lease,
      String identity,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod) {
    public Config {
      LeaseTimes.check(leaseDuration, renewDeadline, retryPeriod);
    }
  }

  /**
   * What it acts through.
   *
   * @param writer writes, past every gate that this election holds
   * @param reader live reads
   * @param events told who leads
   * @param time clock, pauses and the watchdog's timer, which nobody else should keep busy
   * @param chance a number from 0 to 1, for jitter
   */
  public record Ports(
      ClusterWriter writer,
      LiveReader reader,
      EventSink events,
      Time time,
      DoubleSupplier chance) {}

  private final Config config;
  private final Ports ports;
  private @Nullable Lease observed;
  private long observedAt;
  private volatile String holder = "";
  private volatile boolean leading;
  private volatile ClockReading renewed = new ClockReading(0, Instant.EPOCH);
  private volatile @Nullable Thread renewer;
  private volatile boolean released;
  private final AtomicBoolean lost = new AtomicBoolean();

  /** An election in which we do not take part yet. */
  public LeaderElection(Config config, Ports ports) {
    this.config = config;
    this.ports = ports;
  }

  /** An election over that connection, past every gate, window and cap, which wait for it. */
  public static LeaderElection over(
      KubeConnection connection,
      Config config,
      EventSink events,
      Time time,
      DoubleSupplier chance) {
    AtomicReference<@Nullable LeaderElection> made = new AtomicReference<>();
    KubeCluster direct =
        KubeCluster.impatient(connection, () -> requireNonNull(made.get()).patience(), time);
    LeaderElection election =
        new LeaderElection(config, new Ports(direct, direct, events, time, chance));
    made.set(election);
    return election;
  }

  /** Namespace and name of the Lease. */
  public ObjectKey lease() {
    return config.lease();
  }

  /** Whether we lead and our last renewal is recent enough. */
  public boolean mayWrite() {
    return left().isPositive();
  }

  /**
   * How long this process may still act if no further renewal is confirmed; zero if it does not
   * lead. The clock that shows the later moment decides: after a suspension that is the wall clock.
   */
  public Duration left() {
    return left(renewed.elapsed(ports.time()).longest());
  }

  private Duration left(Duration elapsed) {
    Duration left = config.renewDeadline().minus(elapsed);
    return leading && left.isPositive() ? left : Duration.ZERO;
  }

  /**
   * How long one call of the election may take, so that one that hangs leaves time for others: half
   * of what is left of the lead, and of the renew deadline at most.
   */
  public Duration patience() {
    long half = left().toNanos() / 2;
    long most =
        config.renewDeadline().toNanos() / 2; // it is nobody's lead that would end meanwhile
    return Duration.ofNanos(
        half == 0 ? most : Math.clamp(half, config.retryPeriod().toNanos() / 2, most));
  }

  /**
   * Waits until we lead, and renews from then on.
   *
   * @param onLost called once, on another thread, if the lead is lost; not after {@link #release}
   */
  public void lead(Runnable onLost) throws InterruptedException {
    while (!succeeds()) {
      ports
          .time()
          .sleep(
              config
                  .retryPeriod()
                  .plusNanos(
                      (long)
                          (config.retryPeriod().toNanos()
                              * LeaseTimes.JITTER
                              * ports.chance().getAsDouble())));
    }
    watch(onLost);
    renewer =
        VitalThreads.start(
            "lease-renewal", () -> released || lost.get(), () -> renewUntilLost(onLost));
  }

  /**
   * Looks when the time is up, and at no other time: a renewal since then moves it. After a
   * suspension the next renewal decides whether the lead is lost, not the wall clock.
   */
  private void watch(Runnable onLost) {
    if (!released && !lost.get()) {
      Duration left = left(renewed.elapsed(ports.time()).monotonic());
      if (left.isPositive()) {
        ports.time().schedule(left, () -> watch(onLost));
      } else {
        lose(onLost);
      }
    }
  }

  private void renewUntilLost(Runnable onLost) {
    try {
      Duration pause = config.retryPeriod();
      while (!released && !lost.get()) {
        if (pause.isPositive()) {
          ports.time().sleep(pause);
        }
        long began = ports.time().nanos();
        pause = config.retryPeriod();
        if (!succeeds()) {
          if (!mayWrite()) {
            lose(onLost);
          }
          // one that hung has been a pause in itself
          pause = pause.minusNanos(ports.time().nanos() - began);
        }
      }
    } catch (InterruptedException byRelease) {
      Thread.currentThread().interrupt();
    }
  }

  private void lose(Runnable onLost) {
    if (released || !lost.compareAndSet(false, true)) {
      return;
    }
    leading = false;
    LOG.log(
        Level.ERROR,
        () ->
            "leaderelection lost: leadership is lost, lease "
                + config.lease()
                + " could not be renewed within "
                + config.renewDeadline().toSeconds()
                + " s"
                + (holder.isEmpty() || holder.equals(config.identity())
                    ? ""
                    : ", it is held by " + holder));
    onLost.run();
  }

  /** One try, which has failed if it throws: credentials may be out of reach for a while. */
  private boolean succeeds() throws InterruptedException {
    try {
      return attempt();
    } catch (RuntimeException failed) {
      LOG.log(Level.WARNING, () -> "lease " + config.lease() + " cannot be renewed: " + failed);
      return false;
    }
  }

  /**
   * One try to get or keep the lead.
   *
   * @return whether the server has just confirmed that we lead
   */
  boolean attempt() throws InterruptedException {
    Lease known = observed;
    noteSuspension();
    if (leading && known != null && write(known)) {
      return true; // nobody else has written since
    }
    return switch (ports.reader().read(Kind.LEASE, config.lease())) {
      case ReadResult.Failed<Lease>(String message) -> {
        LOG.log(Level.WARNING, () -> "lease " + config.lease() + " cannot be read: " + message);
        yield false;
      }
      case ReadResult.Absent<Lease> _ -> create();
      case ReadResult.Found<Lease>(Lease lease) -> {
        if (known == null || !LeaseTerm.isSame(known, lease)) {
          observedAt = ports.time().nanos();
        }
        observed = lease;
        yield isFree(lease) ? write(lease) : heldBy(lease.holder());
      }
    };
  }

  private void noteSuspension() {
    ClockReading.Elapsed elapsed = renewed.elapsed(ports.time());
    if (leading && !mayWrite() && left(elapsed.monotonic()).isPositive()) {
      LOG.log(
          Level.WARNING,
          () ->
              "the wall clock is "
                  + elapsed.wall().minus(elapsed.monotonic()).toSeconds()
                  + " s ahead, as after a suspended machine: nothing is written before lease "
                  + config.lease()
                  + " is renewed");
    }
  }

  private boolean isFree(Lease lease) {
    if (lease.holder().isEmpty() || lease.holder().equals(config.identity())) {
      return true;
    }
    Duration duration =
        lease.durationSeconds() > 0
            ? Duration.ofSeconds(lease.durationSeconds())
            : config.leaseDuration();
    return ports.time().nanos() - observedAt >= duration.toNanos();
  }

  private boolean heldBy(String who) {
    if (leading) {
      leading = false; // taken from us: there is nothing to wait for
    }
    if (!who.equals(holder)) {
      holder = who;
      LOG.log(Level.INFO, () -> "standing by: " + who + " leads");
    }
    return false;
  }

  private LeaseTerm term() {
    return LeaseTerm.of(config.identity(), config.leaseDuration(), ports.time().now());
  }

  private boolean create() throws InterruptedException {
    ClockReading began = ClockReading.now(ports.time());
    LeaseTerm term = term();
    return confirmed(
        ports.writer().create(Kind.LEASE, config.lease(), term.create(config.lease())),
        term,
        began);
  }

  private boolean write(Lease lease) throws InterruptedException {
    ClockReading began = ClockReading.now(ports.time());
    LeaseTerm term = term();
    return confirmed(
        ports.writer().patch(Kind.LEASE, config.lease(), term.patch(lease)), term, began);
  }

  private boolean confirmed(WriteResult<Lease> result, LeaseTerm term, ClockReading began) {
    if (!(result instanceof WriteResult.Written<Lease>(Lease lease)) || !term.isStatedBy(lease)) {
      LOG.log(
          leading || result instanceof WriteResult.Written<Lease> ? Level.WARNING : Level.DEBUG,
          () -> "lease " + config.lease() + " could not be written: " + result);
      return false;
    }
    observed = lease;
    observedAt = ports.time().nanos();
    if (began.elapsed(ports.time()).longest().compareTo(config.renewDeadline()) >= 0) {
      LOG.log(
          Level.WARNING,
          () -> "lease " + config.lease() + " was renewed too late to be trusted; trying again");
      return false;
    }
    renewed = began;
    if (!leading && !lost.get()) {
      leading = true;
      holder = config.identity();
      LOG.log(Level.INFO, () -> config.identity() + " leads by lease " + config.lease());
      ports
          .events()
          .tell(
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

  /** Gives the lead back, if we have it, so that another replica takes it at once. */
  public void release() throws InterruptedException {
    released = true;
    Thread renewing = renewer;
    if (renewing != null) {
      renewing.interrupt();
      renewing.join(config.retryPeriod());
    }
    Lease last = observed;
    if (!leading || last == null) {
      return;
    }
    leading = false;
    for (int tries = 0; tries < RELEASE_TRIES; tries++) {
      if (givesBack(last)) {
        return;
      }
      // a renewal that was under way may have been done without an answer, as this may have been
      if (ports.reader().read(Kind.LEASE, config.lease())
          instanceof ReadResult.Found<Lease>(Lease now)) {
        if (!now.holder().equals(config.identity())) {
          return;
        }
        last = now;
      }
    }
    LOG.log(
        Level.WARNING,
        () -> "lease " + config.lease() + " could not be given back: others wait for its end");
  }

  private boolean givesBack(Lease last) throws InterruptedException {
    LeaseTerm nobody = LeaseTerm.of("", Duration.ofSeconds(1), ports.time().now());
    return ports.writer().patch(Kind.LEASE, config.lease(), nobody.release(last))
            instanceof WriteResult.Written<Lease>(Lease now)
        && nobody.isStatedBy(now);
  }
}
