package dev.mooring.manager.lifecycle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Request to stop a process, by a signal or by lost leadership, and its completion.
 *
 * <p>A request during startup interrupts the starting thread. After {@link #started} a request
 * interrupts no thread, so that the orderly shutdown is not cut short by its own cause.
 */
public final class StopRequest {
  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch fulfilled = new CountDownLatch(1);
  private final Thread starter = Thread.currentThread();
  private boolean isStarting = true;

  public StopRequest() {}

  /** Requests the stop. May be called repeatedly, from any thread. */
  public synchronized void request() {
    requested.countDown();
    if (isStarting) {
      starter.interrupt();
    }
  }

  /** Marks the end of startup, successful or not. Clears the interrupt of an earlier request. */
  public synchronized void started() {
    isStarting = false;
    if (requested.getCount() == 0) {
      Thread.interrupted();
    }
  }

  public void await() throws InterruptedException {
    requested.await();
  }

  /** Waits for the request, at most for the duration. Returns whether it was made. */
  public boolean await(Duration atMost) throws InterruptedException {
    return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  public void fulfilled() {
    fulfilled.countDown();
  }

  public void requestAndWait() {
    request();
    try {
      fulfilled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
