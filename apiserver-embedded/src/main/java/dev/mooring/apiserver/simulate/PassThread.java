package dev.mooring.apiserver.simulate;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that runs a pass over the objects after writes. After long passes it waits for the end
 * of a series of writes, because each pass reads all objects.
 */
final class PassThread implements AutoCloseable {
  private static final int WAIT_FACTOR = 8;

  private static final System.Logger LOG = System.getLogger(PassThread.class.getName());

  private final ObjectHandlers handlers;
  private final Duration pause;
  private final Runnable pass;
  private final Thread thread;
  private volatile boolean isRunning = true;
  private volatile long finishedVersion = -1;

  private PassThread(ObjectHandlers handlers, String name, Duration pause, Runnable pass) {
    this.handlers = handlers;
    this.pause = pause;
    this.pass = pass;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::runUntilClosed);
  }

  /**
   * Starts the thread.
   *
   * @param pause the time between two checks for a new write
   */
  static PassThread start(ObjectHandlers handlers, String name, Duration pause, Runnable pass) {
    PassThread started = new PassThread(handlers, name, pause, pass);
    started.thread.start();
    return started;
  }

  private void runUntilClosed() {
    long lastNanos = 0;
    try {
      while (isRunning) {
        if (version() == finishedVersion) {
          LockSupport.parkNanos(pause.toNanos());
        } else {
          awaitEndOfWrites(lastNanos);
          long start = System.nanoTime();
          long version = version();
          pass.run();
          finishedVersion = version;
          lastNanos = System.nanoTime() - start;
        }
      }
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, thread.getName() + " stopped because of a bug", bug);
    }
  }

  // waits longer after longer passes, so that passes take a small share of the time
  private void awaitEndOfWrites(long passNanos) {
    long end = System.nanoTime() + passNanos * WAIT_FACTOR;
    long quietNanos = Math.max(pause.toNanos(), passNanos);
    long version = -1;
    while (isRunning && version != version() && end - System.nanoTime() > quietNanos) {
      version = version();
      LockSupport.parkNanos(quietNanos);
    }
  }

  private long version() {
    return handlers.store(KindCatalogue.PODS).version();
  }

  /** Returns whether a pass has seen every write. */
  boolean isAtRest() {
    return finishedVersion == version();
  }

  /** Stops the thread and waits for it: it must not write to a server that is closed next. */
  @Override
  public void close() {
    isRunning = false;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
