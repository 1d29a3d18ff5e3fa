package dev.mooring.manager.plugin;

import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.VolumePlugin;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Plugin instances by name. Read by all threads, changed by one at a time. */
final class PluginInstances {
  private final Map<String, String> settings;
  private final Map<String, GuardedPlugin> plugins = new ConcurrentSkipListMap<>();
  private final Map<String, String> jars = new ConcurrentHashMap<>();
  private final Map<String, String> versions = new ConcurrentHashMap<>();
  private final Set<String> readSettings = ConcurrentHashMap.newKeySet();
  private final Map<String, String> missingSettings = new ConcurrentHashMap<>();
  private final List<PluginInstance> builtIn = new CopyOnWriteArrayList<>();
  private final LateCluster cluster = new LateCluster();
  private volatile BooleanSupplier mayWork = () -> true;
  private volatile @Nullable CsiConnector csi;
  private volatile String csiJar = "";

  PluginInstances(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  void workOnlyWhile(BooleanSupplier allowed) {
    mayWork = allowed;
  }

  void setCluster(PluginCluster target) {
    cluster.setTarget(target);
  }

  void start(String jar, PluginInstance instance) throws LoadedJar.UnusableJarException {
    String name = instance.name();
    String ownerJar = jars.get(name);
    if (ownerJar != null) {
      throw new LoadedJar.UnusableJarException(
          "its name \"" + name + "\" is used by " + ownerJar + ": remove one of the two");
    }
    missingSettings.remove(name); // an earlier version may have read other settings
    try {
      instance.start(new InstanceContext(name));
    } catch (PluginInstance.StartFailedException e) {
      throw new LoadedJar.UnusableJarException("start failed (" + e.getMessage() + ")");
    }
    jars.put(name, jar);
    plugins
        .computeIfAbsent(name, n -> new GuardedPlugin(n, () -> mayWork.getAsBoolean()))
        .setTarget(instance);
  }

  void startBuiltIn(VolumePlugin plugin) {
    String name = plugin.name();
    PluginInstance instance =
        new PluginInstance(
            plugin,
            name,
            new Bulkhead(
                name,
                plugin.getClass().getClassLoader(),
                new ThreadGroup("plugin " + name),
                PluginRegistry.DEADLINE));
    try {
      start("", instance);
    } catch (LoadedJar.UnusableJarException e) {
      throw new IllegalArgumentException("plugin " + name + ": " + e.getMessage(), e);
    }
    builtIn.add(instance);
  }

  void releaseBuiltIn() {
    builtIn.forEach(PluginInstance::release);
  }

  void addConnector(String jar, CsiConnector connector) throws LoadedJar.UnusableJarException {
    if (csi != null) {
      throw new LoadedJar.UnusableJarException(
          "the CSI bridge is loaded from " + csiJar + ": remove one of the two");
    }
    csi = connector;
    csiJar = jar;
  }

  Set<String> stop(LoadedJar loaded, Duration grace) throws InterruptedException {
    Set<String> names = new HashSet<>();
    List<PluginInstance> stopping = new ArrayList<>();
    for (PluginInstance instance : loaded.instances()) {
      GuardedPlugin proxy = plugins.get(instance.name());
      if (proxy != null && proxy.instance().filter(i -> i == instance).isPresent()) {
        proxy.setTarget(null);
        jars.remove(instance.name());
        names.add(instance.name());
        stopping.add(instance);
      }
    }
    for (PluginInstance instance : stopping) {
      instance.stop(grace);
    }
    return names;
  }

  Optional<GuardedPlugin> find(String name) {
    return Optional.ofNullable(plugins.get(name));
  }

  Collection<GuardedPlugin> proxies() {
    return plugins.values();
  }

  String jarOf(String name) {
    return jars.getOrDefault(name, "");
  }

  void setVersion(String jar, String version) {
    versions.put(jar, version);
  }

  String versionOf(String jar) {
    return versions.getOrDefault(jar, "");
  }

  Optional<CsiConnector> csi() {
    return Optional.ofNullable(csi);
  }

  String csiJar() {
    return csiJar;
  }

  Set<String> readSettings() {
    return Set.copyOf(readSettings);
  }

  /** Returns the first setting without a value or default that the plugin has read; "" for none. */
  String findMissingSetting(String plugin) {
    return missingSettings.getOrDefault(plugin, "");
  }

  // Context of one plugin; records the settings that it reads.
  private final class InstanceContext implements PluginContext {
    private final String plugin;

    InstanceContext(String plugin) {
      this.plugin = plugin;
    }

    @Override
    public String setting(String name, String fallback) {
      readSettings.add(name);
      if (fallback.isEmpty() && !settings.containsKey(name)) {
        missingSettings.putIfAbsent(plugin, name);
      }
      return settings.getOrDefault(name, fallback);
    }

    @Override
    public System.Logger logger() {
      return System.getLogger("plugin." + plugin);
    }

    @Override
    public PluginCluster cluster() {
      return cluster;
    }
  }
}
