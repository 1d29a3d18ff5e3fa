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
 * What came out of one jar, or folder of jars: a class loader, threads, and plugins. Not
 * thread-safe; the registry's lock guards it.
 */
final class LoadedJar {
  private static final System.Logger LOG = System.getLogger(LoadedJar.class.getName());

  /** How long a plugin's construction may take. */
  private static final Duration CONSTRUCTION = Duration.ofSeconds(30);

  /** How long threads may take to end that were interrupted. */
  private static final Duration ENDING = Duration.ofSeconds(2);

  /** It cannot be used, and why: for people, on one line. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String why) {
      super(why);
    }
  }

  /** The services that the jars name. */
  private record Services(List<VolumePlugin> plugins, List<String> names, List<CsiConnector> csi) {
    static Services in(ClassLoader loader) {
      List<VolumePlugin> plugins = new ArrayList<>();
      List<String> names = new ArrayList<>();
      for (VolumePlugin plugin : ServiceLoader.load(VolumePlugin.class, loader)) {
        plugins.add(plugin);
        names.add(Objects.requireNonNull(plugin.name(), "the plugin has no name"));
      }
      List<CsiConnector> csi = new ArrayList<>();
      ServiceLoader.load(CsiConnector.class, loader).forEach(csi::add);
      return new Services(plugins, names, csi);
    }
  }

  private final PluginJar source;
  private final LoadedJarFiles files;
  private final PluginClassLoader loader;
  private final ThreadGroup group;
  private final List<Instance> instances = new ArrayList<>();
  private final List<CsiConnector> connectors = new ArrayList<>();

  private LoadedJar(PluginJar source, LoadedJarFiles files) {
    this.source = source;
    this.files = files;
    this.loader =
        new PluginClassLoader(source.name(), files.urls(), LoadedJar.class.getClassLoader());
    this.group = new ThreadGroup("plugin " + source.name());
  }

  /**
   * Loads it; its plugins are not started.
   *
   * @param files its jars, which are let go when this fails
   * @param deadline how long a call to one of its plugins may take
   * @throws Unusable if it cannot be used
   */
  static LoadedJar load(PluginJar source, LoadedJarFiles files, Duration deadline)
      throws Unusable, InterruptedException {
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

  private void construct(Duration deadline) throws Unusable {
    Bulkhead constructing =
        new Bulkhead(
            source.name(),
            loader,
            group,
            deadline.compareTo(CONSTRUCTION) < 0 ? deadline : CONSTRUCTION);
    try {
      Services services = constructing.call("its construction", () -> Services.in(loader));
      for (int i = 0; i < services.plugins().size(); i++) {
        String name = services.names().get(i);
        instances.add(
            new Instance(
                services.plugins().get(i), name, new Bulkhead(name, loader, group, deadline)));
      }
      services.csi().forEach(c -> connectors.add(new GuardedConnector(c, loader)));
    } catch (Bulkhead.Broken e) {
      throw new Unusable(
          switch (e.how()) {
            case Bulkhead.Ended.Threw(Throwable cause) ->
                "cannot be loaded ("
                    + RootCause.line(cause)
                    + "): is it built for this version of Mooring, with its libraries beside it?";
            case Bulkhead.Ended.Unanswered unanswered ->
                "its constructor, or its name(), does not come to an end ("
                    + unanswered.why()
                    + "): do slow work in start";
          });
    } finally {
      constructing.release();
    }
    if (instances.isEmpty() && connectors.isEmpty()) {
      throw new Unusable(
          "no service found: list the plugin's class in META-INF/services/"
              + VolumePlugin.class.getName());
    }
  }

  PluginJar source() {
    return source;
  }

  /** As its jars say; "" if none does. */
  String version() {
    return files.version();
  }

  List<Instance> instances() {
    return instances;
  }

  List<CsiConnector> connectors() {
    return connectors;
  }

  /** Its files, which another load may use after {@link #unload}. */
  LoadedJarFiles files() {
    return files;
  }

  /**
   * Ends its threads and closes its class loader. Its plugins have been stopped, or were never
   * started. The files stay.
   */
  void unload() throws InterruptedException {
    instances.forEach(Instance::release);
    group.interrupt();
    long end = System.nanoTime() + ENDING.toNanos();
    Thread[] left = threads();
    for (Thread thread : left) {
      thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
    left = threads();
    for (Thread thread : left) {
      // a forgotten pool's: idle for ever, but then it need not keep the classes
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    }
    if (left.length > 0) {
      String names = String.join(", ", Arrays.stream(left).map(Thread::getName).toList());
      LOG.log(
          System.Logger.Level.WARNING,
          () ->
              "plugin "
                  + source.name()
                  + ": threads of it do not end ("
                  + names
                  + "); they stay until Mooring is restarted, and so may its classes");
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
