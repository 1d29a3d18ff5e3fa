package dev.mooring.manager.warmup;

import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.StandbyWork;
import dev.mooring.manager.telemetry.MutedThreads;
import dev.mooring.text.LogMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs the configured controllers on an in-memory cluster, once, while another process leads. The
 * first work after a takeover then runs compiled code. Calls no plugin or driver of the process,
 * and sends nothing to its API server. Pauses leave most of the CPU to other processes.
 */
public final class StandbyWarmUp implements StandbyWork {
  private static final System.Logger LOG = System.getLogger(StandbyWarmUp.class.getName());
  private static final Duration MAX_CPU = Duration.ofSeconds(3);
  private static final int MAX_ROUNDS = 8;
  private static final int PAUSE_FACTOR = 2; // of the CPU time before the pause

  /**
   * Rounds that ended.
   *
   * @param isComplete whether the limits of CPU time or rounds ended the warm-up
   */
  record Progress(int rounds, Duration cpu, boolean isComplete) {}

  private final ManagerConfig config;
  private final Duration delay;
  private final CountDownLatch stopRequested = new CountDownLatch(1);

  /**
   * @param delay time without leadership before the warm-up, so that a process that leads at once
   *     does none
   */
  public StandbyWarmUp(ManagerConfig config, Duration delay) {
    this.config = config;
    this.delay = delay;
  }

  @Override
  public void start() {
    Thread.ofVirtual().name("standby-warm-up").start(this::run);
  }

  @Override
  public void stop() {
    stopRequested.countDown();
  }

  private void run() {
    try {
      if (!isStopRequestedWithin(delay)) {
        log(warmUp());
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(
          Level.WARNING,
          LogMessage.of("the warm-up failed; the first work after a takeover will be slower")
              .withCause(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void log(Progress progress) {
    LOG.log(
        Level.INFO,
        LogMessage.of(describeEnd(progress))
            .with("rounds", progress.rounds())
            .with("cpuMillis", progress.cpu().toMillis()));
  }

  private String describeEnd(Progress progress) {
    if (progress.isComplete()) {
      return "the warm-up is complete; this process is ready to take over";
    }
    return isStopRequested()
        ? "the warm-up ended early, because this process leads or stops"
        : "the warm-up ended early, because the controllers on the in-memory cluster did not become idle";
  }

  Progress warmUp() throws IOException, InterruptedException {
    Duration start = readCpu();
    int rounds = 0;
    try (MutedThreads.Scope _ = MutedThreads.mute();
        WarmUpCluster cluster = WarmUpCluster.start(config, this::isStopRequested)) {
      while (rounds < MAX_ROUNDS && cpuSince(start).compareTo(MAX_CPU) < 0) {
        Duration roundStart = readCpu();
        if (!cluster.playRound(rounds) || isStopRequestedWithin(pauseAfter(cpuSince(roundStart)))) {
          return new Progress(rounds, cpuSince(start), false);
        }
        rounds++;
      }
    }
    System.gc(); // returns the memory of the in-memory cluster
    return new Progress(rounds, cpuSince(start), true);
  }

  private static Duration pauseAfter(Duration work) {
    return Duration.ofNanos(PAUSE_FACTOR * work.toNanos());
  }

  private boolean isStopRequested() {
    return stopRequested.getCount() == 0;
  }

  private boolean isStopRequestedWithin(Duration pause) throws InterruptedException {
    return stopRequested.await(pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Duration cpuSince(Duration start) {
    return readCpu().minus(start);
  }

  private static Duration readCpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
