package dev.mooring.manager.plugin;

import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.csi.CsiConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Who goes by which name. Read from all threads, changed by one at a time. */
final class Slots {
  private final Map<String, String> settings;
  private final Map<String, GuardedPlugin> plugins = new ConcurrentSkipListMap<>();
  private final Map<String, String> jars = new ConcurrentHashMap<>();
  private final Map<String, String> versions = new ConcurrentHashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final LateCluster cluster = new LateCluster();
  private volatile BooleanSupplier mayWork = () -> true;
  private volatile @Nullable CsiConnector csi;
  private volatile String csiJar = "";

  /** With these settings for all of them. */
  Slots(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /** From now on plugins are given work only while that is so. */
  void workOnlyWhile(BooleanSupplier allowed) {
    mayWork = allowed;
  }

  /** From now on plugins see that cluster. */
  void see(PluginCluster seen) {
    cluster.become(seen);
  }

  /**
   * Starts an instance, which then goes by its name.
   *
   * @throws LoadedJar.Unusable if another one does, or it does not start
   */
  void start(String jar, Instance instance) throws LoadedJar.Unusable {
    String name = instance.name();
    String other = jars.get(name);
    if (other != null) {
      throw new LoadedJar.Unusable(
          "its name \"" + name + "\" is taken by " + other + ": remove one of the two");
    }
    try {
      instance.start(new Context(name, settings, asked, cluster));
    } catch (Instance.Refused e) {
      throw new LoadedJar.Unusable("refuses to start (" + e.getMessage() + ")");
    }
    jars.put(name, jar);
    plugins
        .computeIfAbsent(name, n -> new GuardedPlugin(n, () -> mayWork.getAsBoolean()))
        .become(instance);
  }

  /**
   * Takes a connector to CSI drivers.
   *
   * @throws LoadedJar.Unusable if there is one already
   */
  void take(String jar, CsiConnector connector) throws LoadedJar.Unusable {
    if (csi != null) {
      throw new LoadedJar.Unusable(
          "the CSI bridge is loaded from " + csiJar + ": remove one of the two");
    }
    csi = connector;
    csiJar = jar;
  }

  /**
   * Ends the jar's instances: new calls are refused at once, those that run are waited for.
   *
   * @return the names that are free now
   */
  Set<String> end(LoadedJar loaded, Duration grace) throws InterruptedException {
    Set<String> names = new HashSet<>();
    List<Instance> started = new ArrayList<>();
    for (Instance instance : loaded.instances()) {
      GuardedPlugin slot = plugins.get(instance.name());
      if (slot != null && slot.instance().filter(i -> i == instance).isPresent()) {
        slot.become(null);
        jars.remove(instance.name());
        names.add(instance.name());
        started.add(instance);
      }
    }
    for (Instance instance : started) {
      instance.stop(grace);
    }
    return names;
  }

  /** The plugin of that name, whether it is there or was. */
  Optional<GuardedPlugin> named(String name) {
    return Optional.ofNullable(plugins.get(name));
  }

  /** All that are there or were, by name. */
  Collection<GuardedPlugin> all() {
    return plugins.values();
  }

  /** Where it came from. */
  String jarOf(String name) {
    return jars.getOrDefault(name, "");
  }

  /** From now on the jar of that name has that version. */
  void version(String jar, String version) {
    versions.put(jar, version);
  }

  /** As it says itself; "" if it does not. */
  String versionOf(String jar) {
    return versions.getOrDefault(jar, "");
  }

  /** What connects to CSI drivers. */
  Optional<CsiConnector> csi() {
    return Optional.ofNullable(csi);
  }

  /** Where that came from. */
  String csiJar() {
    return csiJar;
  }

  /** The settings that were asked for. */
  Set<String> asked() {
    return Set.copyOf(asked);
  }

  private record Context(
      String plugin, Map<String, String> settings, Set<String> asked, PluginCluster cluster)
      implements PluginContext {
    @Override
    public String setting(String name, String fallback) {
      asked.add(name);
      return settings.getOrDefault(name, fallback);
    }

    @Override
    public System.Logger logger() {
      return System.getLogger("plugin." + plugin);
    }
  }
}
