package dev.mooring.time;

import dev.mooring.thread.FatalErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clock and timers of the system. One daemon thread runs all timers. */
public final class SystemTime implements Time, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SystemTime.class.getName());

  private final ScheduledThreadPoolExecutor timer;

  public SystemTime() {
    timer =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().daemon().name("timer").unstarted(task)) {
          @Override
          protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            super.afterExecute(task, thrown);
            if (task instanceof Future<?> finished && finished.state() == Future.State.FAILED) {
              FatalErrors.exitProcess("a timer task failed", finished.exceptionNow());
            }
          }
        };
    timer.setKeepAliveTime(10, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (duration.isPositive()) {
      Thread.sleep(duration);
    }
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    if (timer.isShutdown()) {
      return () -> {};
    }
    Future<?> future =
        timer.schedule(
            () -> runLoggingFailure(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  private static void runLoggingFailure(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a timer task failed", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
