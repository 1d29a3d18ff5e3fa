package dev.mooring.manager.lifecycle;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.thread.VitalThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the plugin directory from time to time. It asks instead of being told, because network
 * file systems and mounted volumes tell nobody.
 */
final class PluginWatcher {
  private static final System.Logger LOG = System.getLogger(PluginWatcher.class.getName());

  private final PluginRegistry plugins;
  private final Duration period;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread =
      VitalThreads.unstarted("plugin watcher", this::isStopped, this::watch);

  PluginWatcher(PluginRegistry plugins, Duration period) {
    this.plugins = plugins;
    this.period = period;
  }

  void start() {
    thread.start();
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void watch() {
    try {
      while (!stopped.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
        scan();
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void scan() throws InterruptedException {
    try {
      plugins.scan();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "the plugin directory could not be followed this time", e);
    }
  }

  /** Waits for a change that is under way to be broken off. */
  void stop() throws InterruptedException {
    stopped.countDown();
    thread.interrupt();
    thread.join();
  }
}
