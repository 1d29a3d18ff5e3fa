package dev.mooring.manager.lifecycle;

import java.util.concurrent.CountDownLatch;

/**
 * The wish that a running process ends, by a signal or by a lost lease, and its fulfilment.
 *
 * <p>Whoever asks while the start is under way interrupts it; from {@link #started} on nobody is
 * interrupted, so that the orderly stop cannot be cut short by the request that led to it.
 */
public final class StopRequest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch fulfilled = new CountDownLatch(1);
  private final Thread starter = Thread.currentThread();
  private boolean starting = true;

  /** Of a process that the current thread starts. */
  public StopRequest() {}

  /** Asks; from any thread, any number of times. */
  public synchronized void ask() {
    asked.countDown();
    if (starting) {
      starter.interrupt();
    }
  }

  /** The start is over, well or not. An interrupt by a request that came before is taken back. */
  public synchronized void started() {
    starting = false;
    if (asked.getCount() == 0) {
      Thread.interrupted();
    }
  }

  /** Waits until somebody asks. */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** The process has stopped. */
  public void fulfilled() {
    fulfilled.countDown();
  }

  /** Asks, and waits until the process has stopped. */
  public void askAndWait() {
    ask();
    try {
      fulfilled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
