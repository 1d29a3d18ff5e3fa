package dev.mooring.manager.lifecycle;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.thread.VitalThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Scans the plugin directory periodically. File system notifications are not sufficient: network
 * file systems and mounted volumes do not send them.
 */
final class PluginWatcher {
  private static final System.Logger LOG = System.getLogger(PluginWatcher.class.getName());

  private final PluginRegistry plugins;
  private final Duration period;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread =
      VitalThreads.newThread("plugin watcher", this::isStopped, this::watch);

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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void scan() throws InterruptedException {
    try {
      plugins.scan();
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "scan of the plugin directory failed; retrying at the next scan",
          e);
    }
  }

  void stop() throws InterruptedException {
    stopped.countDown();
    thread.interrupt();
    thread.join();
  }
}
