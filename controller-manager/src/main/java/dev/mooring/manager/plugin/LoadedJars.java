package dev.mooring.manager.plugin;

import dev.mooring.spi.csi.CsiConnector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Loaded jars of a plugin directory, and problems of the others. Not thread-safe. */
final class LoadedJars {
  private static final System.Logger LOG = System.getLogger(LoadedJars.class.getName());

  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private static final String KEEPS_RUNNING = "; the previous version keeps running";

  private final PluginRegistry.Config config;
  private final PluginInstances instances;
  private final @Nullable JarStaging staging;
  private final Map<String, LoadedJar> jars = new TreeMap<>();
  private final Map<String, PluginJar> tried = new TreeMap<>();
  private final SortedMap<String, List<PluginProblem>> problems = new TreeMap<>();
  private SortedMap<String, PluginJar> seen = new TreeMap<>();

  LoadedJars(PluginRegistry.Config config, PluginInstances instances) {
    this.config = config;
    this.instances = instances;
    this.staging =
        config.replaceable() || config.allowed() != null
            ? new JarStaging(Path.of(System.getProperty("java.io.tmpdir")))
            : null;
  }

  List<PluginProblem> problems() {
    return problems.values().stream().flatMap(List::stream).toList();
  }

  boolean scanDirectory() {
    String directory = config.directory().toString();
    problems.remove(directory);
    try {
      SortedMap<String, PluginJar> found = PluginJar.in(config.directory());
      boolean same = found.equals(seen);
      seen = found;
      return same;
    } catch (IOException e) {
      // an unreadable directory does not mean that the jars were removed
      addProblem(
          directory,
          "cannot read the directory ("
              + e.getClass().getSimpleName()
              + "): specify an existing one with --plugins");
      return true;
    }
  }

  Set<String> follow() throws InterruptedException {
    Set<String> changed = new HashSet<>();
    for (String name : List.copyOf(tried.keySet())) {
      if (!seen.containsKey(name)) {
        changed.addAll(unloadRemoved(name));
      }
    }
    for (PluginJar source : seen.values()) {
      // a name conflict with another jar may have disappeared
      boolean again = problems.containsKey(source.name()) && !changed.isEmpty();
      if (!source.equals(tried.get(source.name())) || again) {
        changed.addAll(load(source));
      }
    }
    return changed;
  }

  private Set<String> unloadRemoved(String name) throws InterruptedException {
    tried.remove(name);
    problems.remove(name);
    LoadedJar gone = jars.get(name);
    if (gone == null || isPinned(gone)) {
      return Set.of();
    }
    Set<String> names = end(gone, config.deadline());
    LOG.log(System.Logger.Level.INFO, () -> "plugin " + name + " was removed");
    return names;
  }

  private static boolean isPinned(LoadedJar loaded) {
    if (loaded.connectors().isEmpty()) {
      return false;
    }
    LOG.log(
        System.Logger.Level.WARNING,
        () ->
            "plugin "
                + loaded.source().name()
                + " connects to CSI drivers: the change takes effect when Mooring restarts");
    return true;
  }

  private Set<String> load(PluginJar source) throws InterruptedException {
    String name = source.name();
    tried.put(name, source);
    LoadedJar before = jars.get(name);
    if (before != null && isPinned(before)) {
      return Set.of();
    }
    problems.remove(name);
    LoadedJar fresh;
    try {
      LoadedJarFiles files = LoadedJarFiles.of(source, staging, config.allowed());
      fresh = LoadedJar.load(source, files, config.deadline());
    } catch (LoadedJar.UnusableJarException e) {
      addProblem(name, e.getMessage() + (before == null ? "" : KEEPS_RUNNING));
      return Set.of();
    }
    return before == null ? begin(fresh) : replace(before, fresh);
  }

  private Set<String> begin(LoadedJar fresh) {
    jars.put(fresh.source().name(), fresh);
    Started started = start(fresh);
    started.problems().forEach(problem -> addProblem(fresh.source().name(), problem));
    return started.names();
  }

  /**
   * Unloads the previous version. Starts it again if a plugin of the new version rejects its start.
   */
  private Set<String> replace(LoadedJar before, LoadedJar fresh) throws InterruptedException {
    String name = fresh.source().name();
    Set<String> changed = new HashSet<>(instances.end(before, config.deadline()));
    before.unload();
    jars.put(name, fresh);
    Started started = start(fresh);
    boolean keeps =
        fresh.instances().stream()
            .map(PluginInstance::name)
            .anyMatch(plugin -> changed.contains(plugin) && !started.names().contains(plugin));
    changed.addAll(started.names());
    if (!keeps) {
      before.files().close();
      started.problems().forEach(problem -> addProblem(name, problem));
      LOG.log(System.Logger.Level.INFO, () -> "plugin " + name + " is replaced");
      return changed;
    }
    end(fresh, config.deadline());
    try {
      changed.addAll(begin(LoadedJar.load(before.source(), before.files(), config.deadline())));
      started.problems().forEach(problem -> addProblem(name, problem + KEEPS_RUNNING));
    } catch (LoadedJar.UnusableJarException e) {
      started.problems().forEach(problem -> addProblem(name, problem));
      addProblem(name, "the previous version cannot be loaded again: " + e.getMessage());
    }
    return changed;
  }

  private record Started(Set<String> names, List<String> problems) {}

  private Started start(LoadedJar loaded) {
    String jar = loaded.source().name();
    instances.version(jar, loaded.version());
    Set<String> names = new HashSet<>();
    List<String> refused = new ArrayList<>();
    for (PluginInstance instance : loaded.instances()) {
      try {
        instances.start(jar, instance);
        names.add(instance.name());
      } catch (LoadedJar.UnusableJarException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    for (CsiConnector connector : loaded.connectors()) {
      try {
        instances.addConnector(jar, connector);
      } catch (LoadedJar.UnusableJarException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Started(names, refused);
  }

  private Set<String> end(LoadedJar loaded, Duration grace) throws InterruptedException {
    jars.remove(loaded.source().name());
    Set<String> names = instances.end(loaded, grace);
    loaded.discard();
    return names;
  }

  private void addProblem(String jar, String problem) {
    problems.computeIfAbsent(jar, name -> new ArrayList<>()).add(new PluginProblem(jar, problem));
  }

  void close() throws InterruptedException {
    try {
      for (LoadedJar loaded : List.copyOf(jars.values())) {
        end(loaded, AT_THE_END);
      }
    } finally {
      if (staging != null) {
        staging.close();
      }
    }
  }
}
