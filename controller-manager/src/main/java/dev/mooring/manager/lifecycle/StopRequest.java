package dev.mooring.manager.lifecycle;

import java.util.concurrent.CountDownLatch;

/**
 * Request to stop a process, by a signal or by lost leadership, and its completion.
 *
 * <p>A request during startup interrupts the starting thread. After {@link #started} a request
 * interrupts no thread, so that the orderly shutdown is not cut short by its own cause.
 */
public final class StopRequest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch fulfilled = new CountDownLatch(1);
  private final Thread starter = Thread.currentThread();
  private boolean starting = true;

  public StopRequest() {}

  /** Requests the stop. May be called repeatedly, from any thread. */
  public synchronized void ask() {
    asked.countDown();
    if (starting) {
      starter.interrupt();
    }
  }

  /** Marks the end of startup, successful or not. Clears the interrupt of an earlier request. */
  public synchronized void started() {
    starting = false;
    if (asked.getCount() == 0) {
      Thread.interrupted();
    }
  }

  public void await() throws InterruptedException {
    asked.await();
  }

  public void fulfilled() {
    fulfilled.countDown();
  }

  public void askAndWait() {
    ask();
    try {
      fulfilled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
