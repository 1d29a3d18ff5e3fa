package dev.mooring.manager.plugin;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Connector proxy that sets the connector's class loader as context class loader during the call.
 */
record GuardedConnector(CsiConnector connector, ClassLoader loader) implements CsiConnector {
  @Override
  public CsiConnection connect(String endpoint, Duration timeout) {
    return connectGuarded(() -> connector.connect(endpoint, timeout));
  }

  @Override
  public CsiConnection connect(String endpoint, Tls tls, Duration timeout) {
    return connectGuarded(() -> connector.connect(endpoint, tls, timeout));
  }

  private CsiConnection connectGuarded(Supplier<CsiConnection> connect) {
    Thread thread = Thread.currentThread();
    ClassLoader previousLoader = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return connect.get();
    } finally {
      thread.setContextClassLoader(previousLoader);
    }
  }
}
