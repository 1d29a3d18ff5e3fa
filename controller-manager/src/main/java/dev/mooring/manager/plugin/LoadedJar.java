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

  private static final Duration CONSTRUCTION = Duration.ofSeconds(30);

  private static final Duration ENDING = Duration.ofSeconds(2);

  static final class UnusableJarException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableJarException(String why) {
      super(why);
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
    boolean loaded = false;
    try {
      jar.construct(deadline);
      loaded = true;
      return jar;
    } finally {
      if (!loaded) {
        jar.discard();
      }
    }
  }

  private void construct(Duration deadline) throws UnusableJarException {
    Bulkhead constructing =
        new Bulkhead(
            source.name(),
            loader,
            group,
            deadline.compareTo(CONSTRUCTION) < 0 ? deadline : CONSTRUCTION);
    try {
      instances.addAll(constructing.call("its construction", () -> loadInstances(deadline)));
      connectors.addAll(constructing.call("its connectors", this::loadConnectors));
    } catch (Bulkhead.FailedCallException e) {
      throw new UnusableJarException(
          switch (e.how()) {
            case Bulkhead.AbnormalEnd.Threw(Throwable cause) ->
                "cannot be loaded ("
                    + RootCause.line(cause)
                    + "): check that it is built for this version of Mooring and has its libraries beside it";
            case Bulkhead.AbnormalEnd.Unanswered unanswered ->
                "its constructor or name() does not return ("
                    + unanswered.why()
                    + "): do slow work in start()";
          });
    } finally {
      constructing.release();
    }
    if (instances.isEmpty() && connectors.isEmpty()) {
      throw new UnusableJarException(
          "no service found: list the plugin's class in META-INF/services/"
              + VolumePlugin.class.getName());
    }
  }

  private List<PluginInstance> loadInstances(Duration deadline) {
    List<PluginInstance> all = new ArrayList<>();
    for (VolumePlugin plugin : ServiceLoader.load(VolumePlugin.class, loader)) {
      String name = Objects.requireNonNull(plugin.name(), "the plugin has no name");
      all.add(new PluginInstance(plugin, name, new Bulkhead(name, loader, group, deadline)));
    }
    return all;
  }

  private List<CsiConnector> loadConnectors() {
    List<CsiConnector> all = new ArrayList<>();
    for (CsiConnector connector : ServiceLoader.load(CsiConnector.class, loader)) {
      all.add(new GuardedConnector(connector, loader));
    }
    return all;
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
    long end = System.nanoTime() + ENDING.toNanos();
    Thread[] left = threads();
    for (Thread thread : left) {
      thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
    left = threads();
    for (Thread thread : left) {
      // An idle thread of an abandoned pool must not retain the classes.
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    }
    if (left.length > 0) {
      String names = String.join(", ", Arrays.stream(left).map(Thread::getName).toList());
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
    Thread[] all = new Thread[group.activeCount() + 16];
    return Arrays.copyOf(all, group.enumerate(all));
  }
}
