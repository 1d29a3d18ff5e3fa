package dev.mooring.manager.plugin;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import java.time.Duration;

/** The one door to a connector: its class loader becomes the thread's while it connects. */
final class GuardedConnector implements CsiConnector {
  private final CsiConnector connector;
  private final ClassLoader loader;

  GuardedConnector(CsiConnector connector, ClassLoader loader) {
    this.connector = connector;
    this.loader = loader;
  }

  @Override
  public CsiConnection connect(String endpoint, Duration timeout) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return connector.connect(endpoint, timeout);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
