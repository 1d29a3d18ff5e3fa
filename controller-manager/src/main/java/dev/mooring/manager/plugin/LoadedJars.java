package dev.mooring.manager.plugin;

import dev.mooring.spi.csi.CsiConnector;
import dev.mooring.text.FileProblem;
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

  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

  private static final String KEEPS_RUNNING = "; the previous version keeps running";

  private final PluginRegistry.Config config;
  private final PluginInstances instances;
  private final @Nullable JarStaging staging;
  private final Map<String, LoadedJar> jars = new TreeMap<>();
  private final Map<String, PluginJar> attemptedJars = new TreeMap<>();
  private final SortedMap<String, List<PluginProblem>> problems = new TreeMap<>();
  private SortedMap<String, PluginJar> scannedJars = new TreeMap<>();
  private String attemptedListState = "";

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

  // Returns whether the directory is unchanged since the previous scan.
  boolean scanDirectory() {
    String directory = config.directory().toString();
    problems.remove(directory);
    try {
      SortedMap<String, PluginJar> jarsInDirectory = PluginJar.scan(config.directory());
      boolean isUnchanged = jarsInDirectory.equals(scannedJars);
      scannedJars = jarsInDirectory;
      return isUnchanged;
    } catch (IOException e) {
      // an unreadable directory does not mean that the jars were removed
      addProblem(
          directory,
          "cannot read the directory ("
              + FileProblem.findReason(e)
              + "): specify an existing one with --plugins");
      return true;
    }
  }

  Set<String> applyChanges() throws InterruptedException {
    Set<String> changed = new HashSet<>();
    for (String name : List.copyOf(attemptedJars.keySet())) {
      if (!scannedJars.containsKey(name)) {
        changed.addAll(unloadRemoved(name));
      }
    }
    String listState = config.allowed() == null ? "" : config.allowed().state();
    boolean isListChanged = !listState.equals(attemptedListState);
    attemptedListState = listState;
    for (PluginJar source : scannedJars.values()) {
      // a name conflict with another jar may have disappeared, or the jar is listed now
      boolean isRetry =
          problems.containsKey(source.name()) && (isListChanged || !changed.isEmpty());
      if (!source.equals(attemptedJars.get(source.name())) || isRetry) {
        changed.addAll(load(source));
      }
    }
    return changed;
  }

  private Set<String> unloadRemoved(String name) throws InterruptedException {
    attemptedJars.remove(name);
    problems.remove(name);
    LoadedJar removed = jars.get(name);
    if (removed == null || isPinned(removed)) {
      return Set.of();
    }
    Set<String> names = unload(removed, config.deadline());
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
    attemptedJars.put(name, source);
    LoadedJar previous = jars.get(name);
    if (previous != null && isPinned(previous)) {
      return Set.of();
    }
    problems.remove(name);
    LoadedJar loaded;
    try {
      LoadedJarFiles files = LoadedJarFiles.of(source, staging, config.allowed());
      loaded = LoadedJar.load(source, files, config.deadline());
    } catch (LoadedJar.UnusableJarException e) {
      addProblem(name, e.getMessage() + (previous == null ? "" : KEEPS_RUNNING));
      return Set.of();
    }
    return previous == null ? addAndStart(loaded) : replace(previous, loaded);
  }

  private Set<String> addAndStart(LoadedJar loaded) {
    jars.put(loaded.source().name(), loaded);
    StartResult result = startPlugins(loaded);
    result.problems().forEach(problem -> addProblem(loaded.source().name(), problem));
    return result.names();
  }

  /**
   * Unloads the previous version. Starts it again if a plugin of the new version rejects its start.
   */
  private Set<String> replace(LoadedJar previous, LoadedJar loaded) throws InterruptedException {
    String name = loaded.source().name();
    Set<String> changed = new HashSet<>(instances.stop(previous, config.deadline()));
    previous.unload();
    jars.put(name, loaded);
    StartResult result = startPlugins(loaded);
    boolean keepsPrevious =
        loaded.instances().stream()
            .map(PluginInstance::name)
            .anyMatch(plugin -> changed.contains(plugin) && !result.names().contains(plugin));
    changed.addAll(result.names());
    if (!keepsPrevious) {
      previous.files().close();
      result.problems().forEach(problem -> addProblem(name, problem));
      LOG.log(System.Logger.Level.INFO, () -> "plugin " + name + " is replaced");
      return changed;
    }
    unload(loaded, config.deadline());
    try {
      changed.addAll(
          addAndStart(LoadedJar.load(previous.source(), previous.files(), config.deadline())));
      result.problems().forEach(problem -> addProblem(name, problem + KEEPS_RUNNING));
    } catch (LoadedJar.UnusableJarException e) {
      result.problems().forEach(problem -> addProblem(name, problem));
      addProblem(name, "the previous version cannot be loaded again: " + e.getMessage());
    }
    return changed;
  }

  private record StartResult(Set<String> names, List<String> problems) {}

  private StartResult startPlugins(LoadedJar loaded) {
    String jar = loaded.source().name();
    instances.setVersion(jar, loaded.version());
    Set<String> names = new HashSet<>();
    List<String> startProblems = new ArrayList<>();
    for (PluginInstance instance : loaded.instances()) {
      try {
        instances.start(jar, instance);
        names.add(instance.name());
      } catch (LoadedJar.UnusableJarException e) {
        startProblems.add(String.valueOf(e.getMessage()));
      }
    }
    for (CsiConnector connector : loaded.connectors()) {
      try {
        instances.addConnector(jar, connector);
      } catch (LoadedJar.UnusableJarException e) {
        startProblems.add(String.valueOf(e.getMessage()));
      }
    }
    return new StartResult(names, startProblems);
  }

  private Set<String> unload(LoadedJar loaded, Duration grace) throws InterruptedException {
    jars.remove(loaded.source().name());
    Set<String> names = instances.stop(loaded, grace);
    loaded.discard();
    return names;
  }

  private void addProblem(String jar, String problem) {
    problems.computeIfAbsent(jar, name -> new ArrayList<>()).add(new PluginProblem(jar, problem));
  }

  void close() throws InterruptedException {
    try {
      for (LoadedJar loaded : List.copyOf(jars.values())) {
        unload(loaded, CLOSE_GRACE);
      }
    } finally {
      if (staging != null) {
        staging.close();
      }
    }
  }
}
