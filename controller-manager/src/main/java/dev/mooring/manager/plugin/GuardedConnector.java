package dev.mooring.manager.plugin;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The one door to a connector: its class loader becomes the thread's while it connects. */
final class GuardedConnector implements CsiConnector {
  private final CsiConnector connector;
  private final ClassLoader loader;

  GuardedConnector(CsiConnector connector, ClassLoader loader) {
    this.connector = connector;
    this.loader = loader;
  }

  /**
   * The connectors that the loader's jars name as services.
   *
   * @throws ServiceConfigurationError if one cannot be made; a class that does not link included
   */
  static List<GuardedConnector> allIn(ClassLoader loader) {
    List<GuardedConnector> all = new ArrayList<>();
    try {
      ServiceLoader.load(CsiConnector.class, loader)
          .forEach(connector -> all.add(new GuardedConnector(connector, loader)));
    } catch (LinkageError e) {
      throw new ServiceConfigurationError(e.toString(), e);
    }
    return all;
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
