package dev.mooring.manager.shadow;

import com.google.gson.JsonParser;
import dev.mooring.kube.LeaseObserver;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ServerCheck;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.manager.telemetry.MetricFamilies;
import dev.mooring.manager.telemetry.MetricsSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.text.LogMessage;
import dev.mooring.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rehearsal of a process before it takes part in the leader election. Its controllers observe and
 * decide for a period, and write nothing. It returns when their decisions agreed with those of the
 * leader, or when no process leads. After an unexplained difference it stays on standby: it returns
 * only after an interrupt.
 */
public final class ElectionRehearsal implements ServerCheck, MetricsSource {
  private static final System.Logger LOG = System.getLogger(ElectionRehearsal.class.getName());
  private static final Duration POLL_PERIOD = Duration.ofMillis(200);
  private static final int PERIODS_FOR_CANDIDATES = 2;
  private static final int DEADLINES = 5; // that fit into a rehearsal
  private static final int MAX_LOGGED = 20;

  /** State of the rehearsal; the names are values of a metric's label. */
  public enum State {
    REHEARSING,
    /** All decisions agreed. */
    PASSED,
    NOTHING_COMPARED,
    /** No process led, so there was nothing to compare with. */
    SKIPPED,
    /** Decisions differed. */
    STANDING_BY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Assembly of the controllers that rehearse. */
  @FunctionalInterface
  public interface ManagerFactory {
    /**
     * Returns a stopped manager without election, whose actions are recorded.
     *
     * @throws IOException if a plugin or the cluster's configuration cannot be read
     */
    ControllerManager make(ShadowSession shadow) throws IOException, InterruptedException;
  }

  private final Duration duration;
  private final LeaseObserver leader;
  private final Time time;
  private final ManagerFactory managers;
  private final Optional<ScenarioFiles> files;
  private final ShadowSession shadow;
  private volatile State state = State.REHEARSING;
  private volatile @Nullable ControllerManager rehearsing;
  private long startNanos;
  private long leaseReadNanos;
  private @Nullable Long freeSinceNanos;
  private String holder = "";
  private int loggedCount;

  /**
   * @param leader observer of the Lease, with the same clock
   * @param scenarios directory of scenario files; empty to log the scenarios
   */
  public ElectionRehearsal(
      Duration duration,
      LeaseObserver leader,
      Time time,
      ManagerFactory managers,
      Optional<Path> scenarios) {
    this.duration = duration;
    this.leader = leader;
    this.time = time;
    this.managers = managers;
    this.files = scenarios.map(ScenarioFiles::new);
    // the leader has the same rules: no difference is on purpose
    this.shadow = new ShadowSession(Compat.KUBERNETES, periods(duration), time);
  }

  private static PairingLedger.Periods periods(Duration duration) {
    PairingLedger.Periods defaults = PairingLedger.Periods.DEFAULT;
    Duration share = duration.dividedBy(DEADLINES);
    Duration deadline =
        share.compareTo(defaults.minDeadline()) < 0 ? share : defaults.minDeadline();
    return new PairingLedger.Periods(
        defaults.notableDelay(),
        deadline.compareTo(defaults.confirmation()) < 0 ? deadline : defaults.confirmation(),
        deadline,
        share.compareTo(deadline) > 0 ? share : deadline);
  }

  public State state() {
    return state;
  }

  public ShadowReport report() {
    return shadow.report();
  }

  public boolean isIdle() {
    return rehearsing == null || shadow.isIdle();
  }

  @Override
  public void run(Consumer<String> showState) throws IOException, InterruptedException {
    holder = leader.readHolder();
    if (holder.isEmpty()) {
      state = State.SKIPPED;
      LOG.log(Level.INFO, "no process leads: this process takes part in the election at once");
      return;
    }
    LOG.log(
        Level.INFO,
        () ->
            "comparing decisions with those of %s for %s s before this process takes part in the election"
                .formatted(holder, duration.toSeconds()));
    showState.accept("rehearsing: reading the cluster");
    ControllerManager manager = managers.make(shadow);
    rehearsing = manager;
    try {
      manager.start();
      shadow.begin(manager::queueStats);
      rehearse(showState);
    } finally {
      rehearsing = null;
      manager.stop();
    }
  }

  private void rehearse(Consumer<String> showState) throws InterruptedException {
    startNanos = time.nanos();
    leaseReadNanos = startNanos;
    while (state == State.REHEARSING) {
      showState.accept(describeProgress());
      time.sleep(POLL_PERIOD);
      boolean isOver = time.nanos() - startNanos >= duration.toNanos();
      if (isOver) {
        shadow.awaitJudgement();
      }
      if (shadow.unexplainedCount() > 0) {
        standBy(showState);
      } else if (isOver) {
        pass();
      } else if (isLeaderless()) {
        state = State.SKIPPED;
        LOG.log(
            Level.WARNING,
            () ->
                "no process leads any longer, and no other took the Lease: the rehearsal ends early after "
                    + summary());
      }
    }
  }

  private void pass() throws InterruptedException {
    if (shadow.finish().comparedCount() == 0) {
      state = State.NOTHING_COMPARED;
      LOG.log(
          Level.WARNING,
          () ->
              "nothing was compared: the leader made no decision in %d s; this process takes part in the election. For a comparison, create and delete a claim with a pod during a rehearsal"
                  .formatted(duration.toSeconds()));
      return;
    }
    state = State.PASSED;
    LOG.log(
        Level.INFO,
        () -> "rehearsal passed: " + summary() + "; this process takes part in the election");
  }

  private String summary() {
    ShadowReport report = shadow.report();
    return "%d decisions compared, %d unexplained"
        .formatted(report.comparedCount(), report.unexplainedCount());
  }

  private String describeProgress() {
    long remaining = duration.toNanos() - (time.nanos() - startNanos);
    return "rehearsing for another %d s with %s as leader: %s"
        .formatted(Duration.ofNanos(Math.max(0, remaining)).toSeconds(), holder, summary());
  }

  // Availability counts more than the rehearsal, but another candidate goes first.
  private boolean isLeaderless() throws InterruptedException {
    if (!readsFreeLease()) {
      freeSinceNanos = null;
      return false;
    }
    Long since = freeSinceNanos;
    if (since == null) {
      freeSinceNanos = time.nanos();
      return false;
    }
    return time.nanos() - since >= PERIODS_FOR_CANDIDATES * leader.config().retryPeriod().toNanos();
  }

  private boolean readsFreeLease() throws InterruptedException {
    if (time.nanos() - leaseReadNanos >= leader.config().retryPeriod().toNanos()) {
      leaseReadNanos = time.nanos();
      String current = leader.readHolder();
      holder = current.isEmpty() ? holder : current;
      return current.isEmpty();
    }
    return freeSinceNanos != null;
  }

  private void standBy(Consumer<String> showState) throws InterruptedException {
    state = State.STANDING_BY;
    LOG.log(
        Level.ERROR,
        "rehearsal failed: this process stands by and continues to compare; restart it to rehearse again");
    boolean wasLeaderless = false;
    while (true) {
      logNewDifferences();
      showState.accept("standing by after a failed rehearsal: " + summary());
      boolean isLeaderless = isLeaderless();
      if (isLeaderless && !wasLeaderless) {
        LOG.log(
            Level.ERROR,
            "no process leads, and this one stands by after its failed rehearsal: restart it without --rehearse, or start the earlier version");
      }
      wasLeaderless = isLeaderless;
      time.sleep(POLL_PERIOD);
    }
  }

  private void logNewDifferences() {
    List<UnexplainedDifference> differences = shadow.unexplained();
    while (loggedCount < Math.min(differences.size(), MAX_LOGGED)) {
      UnexplainedDifference difference = differences.get(loggedCount++);
      LOG.log(
          Level.ERROR,
          LogMessage.of("unexplained difference from the leader")
              .with("difference", DifferenceText.summary(difference.finding()))
              .with("scenario", saveScenario(difference)));
    }
  }

  // Without a directory, the log has the scenario itself.
  private String saveScenario(UnexplainedDifference difference) {
    try {
      if (files.isPresent()) {
        return files.get().write(difference).toString();
      }
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          LogMessage.of("the scenario file cannot be written: check --rehearse-scenarios-dir")
              .withCause(e));
    }
    return JsonParser.parseString(ShadowScenario.format(difference, "difference-" + loggedCount))
        .toString();
  }

  @Override
  public void addTo(MetricFamilies families) {
    MetricFamilies.Numbers states =
        families.gauge(
            "mooring_rehearsal_state",
            "1 for the current state of the rehearsal before the leader election, else 0.");
    for (State possible : State.values()) {
      states.put(possible == state ? 1 : 0, "state", possible.toString());
    }
    new ShadowMetrics(shadow).addTo(families);
  }
}
