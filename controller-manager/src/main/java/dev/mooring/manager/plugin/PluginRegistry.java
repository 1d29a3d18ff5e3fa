package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.storage.Plugins;
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
 * The plugins of a directory: each jar, or folder of jars, has a class loader of its own. What
 * cannot be used is a problem on one line; the others run. {@link #scan} follows the directory.
 * Thread-safe; {@link #close} ends the plugins.
 */
public final class PluginRegistry implements Plugins, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PluginRegistry.class.getName());

  /** How long a call may take, unless something else is said. */
  public static final Duration DEADLINE = Duration.ofMinutes(2);

  /**
   * How plugins are loaded.
   *
   * @param directory where the jars are
   * @param settings the host's settings, by flag name
   * @param deadline how long a call to a plugin may take
   * @param allowed which jars may be loaded, null for all
   * @param replaceable whether jars may be replaced while the program runs; they are copied then
   */
  public record Config(
      Path directory,
      Map<String, String> settings,
      Duration deadline,
      @Nullable AllowList allowed,
      boolean replaceable) {}

  /**
   * A plugin that is loaded.
   *
   * @param name its name
   * @param version its jar's version, as that says itself (Implementation-Version); "" if it does
   *     not
   * @param jar where it came from
   * @param capabilities what it can do
   * @param health how it is
   */
  public record Loaded(
      String name, String version, String jar, List<String> capabilities, Health health) {}

  /**
   * How a plugin is.
   *
   * @param circuitOpen whether it is asked nothing for a while, because it failed for everything
   * @param faults calls that it answered by throwing
   * @param hanging calls that do not end although they were interrupted
   */
  public record Health(boolean circuitOpen, long faults, int hanging) {
    /** Nothing is known against it. */
    public static final Health GOOD = new Health(false, 0, 0);

    /** Whether it is asked. */
    public boolean isUp() {
      return !circuitOpen && hanging < Bulkhead.MOST_HANGING;
    }
  }

  private final Slots slots;
  private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
  private volatile List<PluginProblem> problems = List.of();

  // guarded by this
  private final LoadedJars jars;

  private PluginRegistry(Config config) {
    this.slots = new Slots(config.settings());
    this.jars = new LoadedJars(config, slots);
  }

  /**
   * Loads the plugins of a directory. One that does not exist holds no plugins, and is a problem.
   */
  public static PluginRegistry read(Config config) throws InterruptedException {
    PluginRegistry registry = new PluginRegistry(config);
    registry.load();
    return registry;
  }

  private synchronized void load() throws InterruptedException {
    jars.look();
    jars.follow();
    problems = jars.problems();
  }

  /**
   * Looks at the directory again: what has come is loaded, what has changed is replaced, what has
   * gone is ended. What is not as it was at the last look is left for the next one: it may still be
   * being written. Takes as long as the calls to those that end; problems that are new are logged.
   *
   * @return the names of the plugins that have come, changed or gone
   */
  public Set<String> scan() throws InterruptedException {
    Set<String> changed;
    synchronized (this) {
      if (!jars.look()) {
        return Set.of();
      }
      changed = jars.follow();
      List<PluginProblem> known = problems;
      problems = jars.problems();
      problems.stream()
          .filter(problem -> !known.contains(problem))
          .forEach(problem -> LOG.log(System.Logger.Level.ERROR, problem::toString));
    }
    if (!changed.isEmpty()) {
      listeners.forEach(listener -> listener.accept(changed));
    }
    return changed;
  }

  /** From now on plugins are given work only while that is so; questions may always be asked. */
  public void workOnlyWhile(BooleanSupplier allowed) {
    slots.workOnlyWhile(allowed);
  }

  /** From now on plugins see that cluster; until then none. */
  public void see(PluginCluster cluster) {
    slots.see(cluster);
  }

  @Override
  public void onChange(Consumer<Set<String>> listener) {
    listeners.add(listener);
  }

  @Override
  public Optional<VolumePlugin> named(String name) {
    return slots.named(name).filter(plugin -> plugin.instance().isPresent()).map(plugin -> plugin);
  }

  @Override
  public List<VolumePlugin> supporting(VolumeSource source) {
    return supporting(source, plugin -> true);
  }

  @Override
  public Map<String, Long> generations() {
    Map<String, Long> generations = new HashMap<>();
    slots.all().forEach(plugin -> generations.put(plugin.name(), plugin.generation()));
    return generations;
  }

  /** Only those are asked who may answer: a question may take a plugin its time. */
  private List<VolumePlugin> supporting(VolumeSource source, Predicate<VolumePlugin> among) {
    return slots.all().stream()
        .<VolumePlugin>map(p -> p)
        .filter(among)
        .filter(p -> p.supports(source))
        .toList();
  }

  @Override
  public List<VolumePlugin> outOfTree() {
    return slots.all().stream().<VolumePlugin>map(p -> p).filter(p -> !isInTree(p)).toList();
  }

  /** Kubernetes' own plugins alone: those that provision without the external protocol. */
  public Plugins inTree() {
    return new Plugins() {
      @Override
      public Optional<VolumePlugin> named(String name) {
        return PluginRegistry.this.named(name).filter(PluginRegistry::isInTree);
      }

      @Override
      public List<VolumePlugin> supporting(VolumeSource source) {
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

  /** What connects to CSI drivers, if it is loaded. */
  public Optional<CsiConnector> csi() {
    return slots.csi();
  }

  /** What is loaded. */
  public Collection<Loaded> loaded() {
    List<Loaded> all = new ArrayList<>();
    for (GuardedPlugin plugin : slots.all()) {
      plugin.instance().ifPresent(i -> all.add(describe(i)));
    }
    if (slots.csi().isPresent()) {
      all.add(
          new Loaded(
              "csi-bridge",
              slots.versionOf(slots.csiJar()),
              slots.csiJar(),
              List.of("connect to CSI drivers"),
              Health.GOOD));
    }
    return all;
  }

  private Loaded describe(Instance instance) {
    return new Loaded(
        instance.name(),
        slots.versionOf(slots.jarOf(instance.name())),
        slots.jarOf(instance.name()),
        instance.abilities().names(),
        new Health(instance.isCircuitOpen(), instance.faults(), instance.hanging()));
  }

  /** The settings that plugins have asked for when they were started. */
  public Set<String> settingsAsked() {
    return slots.asked();
  }

  /** What could not be loaded. */
  public List<PluginProblem> problems() {
    return problems;
  }

  /** Ends the plugins; calls that run are given a moment, less if the caller is interrupted. */
  @Override
  public synchronized void close() {
    try {
      jars.close();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
