package dev.mooring.manager.plugin;

import dev.mooring.spi.VolumePlugin;
import dev.mooring.spi.csi.CsiConnector;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * Class loader, threads and plugins of one jar or folder of jars. Guarded by the registry's lock.
 */
final class LoadedJar {
  private static final System.Logger LOG = System.getLogger(LoadedJar.class.getName());

  private static final Duration CONSTRUCTION_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration THREAD_TIMEOUT = Duration.ofSeconds(2);

  static final class UnusableJarException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableJarException(String message) {
      super(message);
    }
  }

  private final PluginJar source;
  private final LoadedJarFiles files;
  private final PluginClassLoader loader;
  private final ThreadGroup group;
  private final List<PluginInstance> instances = new ArrayList<>();
  private final List<CsiConnector> connectors = new ArrayList<>();

  private LoadedJar(PluginJar source, LoadedJarFiles files) {
    this.source = source;
    this.files = files;
    this.loader =
        new PluginClassLoader(source.name(), files.urls(), LoadedJar.class.getClassLoader());
    this.group = new ThreadGroup("plugin " + source.name());
  }

  static LoadedJar load(PluginJar source, LoadedJarFiles files, Duration deadline)
      throws UnusableJarException, InterruptedException {
    LoadedJar jar = new LoadedJar(source, files);
    boolean isLoaded = false;
    try {
      jar.construct(deadline);
      isLoaded = true;
      return jar;
    } finally {
      if (!isLoaded) {
        jar.discard();
      }
    }
  }

  private void construct(Duration deadline) throws UnusableJarException {
    Bulkhead bulkhead =
        new Bulkhead(
            source.name(),
            loader,
            group,
            deadline.compareTo(CONSTRUCTION_TIMEOUT) < 0 ? deadline : CONSTRUCTION_TIMEOUT);
    try {
      instances.addAll(bulkhead.call("its construction", () -> loadInstances(deadline)));
      connectors.addAll(bulkhead.call("its connectors", this::loadConnectors));
    } catch (Bulkhead.FailedCallException e) {
      throw new UnusableJarException(
          switch (e.abnormalEnd()) {
            case Bulkhead.AbnormalEnd.Threw(Throwable cause) ->
                "cannot be loaded ("
                    + RootCause.line(cause)
                    + "): check that it is built for this version of Mooring and has its libraries beside it";
            case Bulkhead.AbnormalEnd.Unanswered unanswered ->
                "its constructor or name() does not return ("
                    + unanswered.reason()
                    + "): do slow work in start()";
          });
    } finally {
      bulkhead.release();
    }
    if (instances.isEmpty() && connectors.isEmpty()) {
      throw new UnusableJarException(
          "no service found: list the plugin's class in META-INF/services/"
              + VolumePlugin.class.getName());
    }
  }

  private List<PluginInstance> loadInstances(Duration deadline) {
    List<PluginInstance> loadedInstances = new ArrayList<>();
    for (VolumePlugin plugin : ServiceLoader.load(VolumePlugin.class, loader)) {
      String name = Objects.requireNonNull(plugin.name(), "the plugin has no name");
      loadedInstances.add(
          new PluginInstance(plugin, name, new Bulkhead(name, loader, group, deadline)));
    }
    return loadedInstances;
  }

  private List<CsiConnector> loadConnectors() {
    List<CsiConnector> loadedConnectors = new ArrayList<>();
    for (CsiConnector connector : ServiceLoader.load(CsiConnector.class, loader)) {
      loadedConnectors.add(new GuardedConnector(connector, loader));
    }
    return loadedConnectors;
  }

  PluginJar source() {
    return source;
  }

  String version() {
    return files.version();
  }

  List<PluginInstance> instances() {
    return instances;
  }

  List<CsiConnector> connectors() {
    return connectors;
  }

  LoadedJarFiles files() {
    return files;
  }

  /**
   * Terminates the threads and closes the class loader. The plugins must be stopped or not started.
   * Keeps the files.
   */
  void unload() throws InterruptedException {
    instances.forEach(PluginInstance::release);
    group.interrupt();
    long deadline = System.nanoTime() + THREAD_TIMEOUT.toNanos();
    Thread[] remaining = threads();
    for (Thread thread : remaining) {
      thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    }
    remaining = threads();
    for (Thread thread : remaining) {
      // An idle thread of an abandoned pool must not retain the classes.
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    }
    if (remaining.length > 0) {
      String names = String.join(", ", Arrays.stream(remaining).map(Thread::getName).toList());
      LOG.log(
          System.Logger.Level.WARNING,
          () ->
              "plugin %s: threads do not terminate (%s); they remain until Mooring restarts, possibly with their classes"
                  .formatted(source.name(), names));
    }
    try {
      loader.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, () -> "closing " + source.name(), e);
    }
  }

  void discard() throws InterruptedException {
    unload();
    files.close();
  }

  private Thread[] threads() {
    Thread[] groupThreads = new Thread[group.activeCount() + 16];
    return Arrays.copyOf(groupThreads, group.enumerate(groupThreads));
  }
}
