package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.storage.LoadedPlugins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plugins of a directory. Each jar or folder of jars has its own class loader. A broken jar is
 * reported as a problem and does not affect the others. {@link #scan} applies changes of the
 * directory; {@link #close} stops the plugins. Thread-safe.
 */
public final class PluginRegistry implements LoadedPlugins, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PluginRegistry.class.getName());

  public static final Duration DEADLINE = Duration.ofMinutes(2);

  /**
   * Configuration of the registry.
   *
   * @param directory plugin directory
   * @param settings plugin settings by name
   * @param deadline timeout of a call
   * @param allowed allow list; null to allow all jars
   * @param replaceable whether jars may change while the program runs; they are then copied
   */
  public record Config(
      Path directory,
      Map<String, String> settings,
      Duration deadline,
      @Nullable AllowList allowed,
      boolean replaceable) {}

  /**
   * Plugin that is in use.
   *
   * @param capabilities operations that it offers; empty if it is not configured
   * @param missingSetting first setting without a value or default that it has read; "" for none
   */
  public record LoadedPlugin(
      String name,
      String version,
      String jar,
      List<String> capabilities,
      String missingSetting,
      Health health) {}

  public record Health(boolean circuitOpen, long faults, int hanging) {
    public static final Health HEALTHY = new Health(false, 0, 0);

    public boolean isUp() {
      return !circuitOpen && hanging < Bulkhead.MAX_HANGING;
    }
  }

  private final PluginInstances instances;
  private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
  private volatile List<PluginProblem> problems = List.of();

  // guarded by this
  private final LoadedJars jars;

  private PluginRegistry(Config config) {
    this.instances = new PluginInstances(config.settings());
    this.jars = new LoadedJars(config, instances);
  }

  public static PluginRegistry read(Config config) throws InterruptedException {
    PluginRegistry registry = new PluginRegistry(config);
    registry.load();
    return registry;
  }

  /** Returns a registry of plugins of this program, without a directory. */
  public static PluginRegistry of(List<VolumePlugin> plugins) {
    PluginRegistry registry =
        new PluginRegistry(new Config(Path.of("none"), Map.of(), DEADLINE, null, false));
    plugins.forEach(registry.instances::startBuiltIn);
    return registry;
  }

  private synchronized void load() throws InterruptedException {
    jars.scanDirectory();
    jars.applyChanges();
    problems = jars.problems();
  }

  /**
   * Scans the directory: loads new jars, replaces changed ones, and unloads removed ones. A jar
   * that changed since the previous scan is left for the next one, because it may be incomplete.
   * Blocks while calls to replaced plugins end. Logs new problems.
   *
   * @return names of added, replaced and removed plugins
   */
  public Set<String> scan() throws InterruptedException {
    Set<String> changed;
    synchronized (this) {
      if (!jars.scanDirectory()) {
        return Set.of();
      }
      changed = jars.applyChanges();
      List<PluginProblem> previousProblems = problems;
      problems = jars.problems();
      problems.stream()
          .filter(problem -> !previousProblems.contains(problem))
          .forEach(problem -> LOG.log(System.Logger.Level.ERROR, problem::toString));
    }
    if (!changed.isEmpty()) {
      listeners.forEach(listener -> listener.accept(changed));
    }
    return changed;
  }

  /**
   * Restricts operation calls to times at which {@code allowed} is true. Quick calls remain
   * allowed.
   */
  public void workOnlyWhile(BooleanSupplier allowed) {
    instances.workOnlyWhile(allowed);
  }

  public void setCluster(PluginCluster cluster) {
    instances.setCluster(cluster);
  }

  @Override
  public void onChange(Consumer<Set<String>> listener) {
    listeners.add(listener);
  }

  @Override
  public Optional<VolumePlugin> find(String name) {
    return instances
        .find(name)
        .filter(plugin -> plugin.instance().isPresent())
        .map(plugin -> plugin);
  }

  @Override
  public List<VolumePlugin> findSupporting(VolumeSource source) {
    return supporting(source, plugin -> true);
  }

  @Override
  public Map<String, Long> generations() {
    Map<String, Long> generations = new HashMap<>();
    instances.proxies().forEach(plugin -> generations.put(plugin.name(), plugin.generation()));
    return generations;
  }

  // Evaluates the cheap predicate first, because a quick call may block for seconds.
  private List<VolumePlugin> supporting(VolumeSource source, Predicate<VolumePlugin> filter) {
    return instances.proxies().stream()
        .<VolumePlugin>map(p -> p)
        .filter(filter)
        .filter(p -> p.supports(source))
        .toList();
  }

  @Override
  public List<VolumePlugin> outOfTree() {
    return instances.proxies().stream()
        .<VolumePlugin>map(p -> p)
        .filter(p -> !isInTree(p))
        .toList();
  }

  public LoadedPlugins inTree() {
    return new LoadedPlugins() {
      @Override
      public Optional<VolumePlugin> find(String name) {
        return PluginRegistry.this.find(name).filter(PluginRegistry::isInTree);
      }

      @Override
      public List<VolumePlugin> findSupporting(VolumeSource source) {
        return PluginRegistry.this.supporting(source, PluginRegistry::isInTree);
      }

      @Override
      public Map<String, Long> generations() {
        return PluginRegistry.this.generations();
      }
    };
  }

  private static boolean isInTree(VolumePlugin plugin) {
    return plugin.name().startsWith("kubernetes.io/");
  }

  public Optional<CsiConnector> csi() {
    return instances.csi();
  }

  public Collection<LoadedPlugin> loaded() {
    List<LoadedPlugin> loaded = new ArrayList<>();
    for (GuardedPlugin plugin : instances.proxies()) {
      plugin.instance().ifPresent(i -> loaded.add(describe(i)));
    }
    if (instances.csi().isPresent()) {
      loaded.add(
          new LoadedPlugin(
              "csi-bridge",
              instances.versionOf(instances.csiJar()),
              instances.csiJar(),
              List.of("connect to CSI drivers"),
              "",
              Health.HEALTHY));
    }
    return loaded;
  }

  private LoadedPlugin describe(PluginInstance instance) {
    return new LoadedPlugin(
        instance.name(),
        instances.versionOf(instances.jarOf(instance.name())),
        instances.jarOf(instance.name()),
        instance.capabilities().names(),
        instances.findMissingSetting(instance.name()),
        new Health(instance.isCircuitOpen(), instance.faults(), instance.hanging()));
  }

  public Set<String> readSettings() {
    return instances.readSettings();
  }

  @Override
  public List<String> loadFailures() {
    return problems.stream().map(PluginProblem::toString).toList();
  }

  public List<PluginProblem> problems() {
    return problems;
  }

  @Override
  public synchronized void close() {
    try {
      instances.releaseBuiltIn();
      jars.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
