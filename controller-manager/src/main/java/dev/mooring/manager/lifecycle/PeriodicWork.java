package dev.mooring.manager.lifecycle;

import dev.mooring.thread.VitalThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Work that a thread of its own repeats, because a timer's task must not block. */
final class PeriodicWork {
  private static final System.Logger LOG = System.getLogger(PeriodicWork.class.getName());

  @FunctionalInterface
  interface Task {
    void run() throws InterruptedException;
  }

  private final String name;
  private final Duration period;
  private final Task task;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  private PeriodicWork(String name, Duration period, Task task) {
    this.name = name;
    this.period = period;
    this.task = task;
    this.thread = VitalThreads.newThread(name, this::isStopped, this::repeat);
  }

  static PeriodicWork start(String name, Duration period, Task task) {
    PeriodicWork work = new PeriodicWork(name, period, task);
    work.thread.start();
    return work;
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void repeat() {
    try {
      while (!stopped.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
        runOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runOnce() throws InterruptedException {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          () -> "%s failed; retrying in %s s".formatted(name, period.toSeconds()),
          e);
    }
  }

  void stop() throws InterruptedException {
    stopped.countDown();
    thread.interrupt();
    thread.join();
  }
}
