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

/** What is loaded of a directory, and what is wrong with the rest. Not thread-safe. */
final class LoadedJars {
  private static final System.Logger LOG = System.getLogger(LoadedJars.class.getName());

  /** How long calls are waited for when the program ends. */
  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private static final String KEEPS_RUNNING = "; the version loaded before keeps running";

  private final PluginRegistry.Config config;
  private final Slots slots;
  private final @Nullable Staging staging;
  private final Map<String, LoadedJar> jars = new TreeMap<>();
  private final Map<String, PluginJar> tried = new TreeMap<>();
  private final SortedMap<String, List<PluginProblem>> problems = new TreeMap<>();
  private SortedMap<String, PluginJar> seen = new TreeMap<>();

  LoadedJars(PluginRegistry.Config config, Slots slots) {
    this.config = config;
    this.slots = slots;
    this.staging =
        config.replaceable() || config.allowed() != null
            ? new Staging(Path.of(System.getProperty("java.io.tmpdir")))
            : null;
  }

  /** What could not be loaded. */
  List<PluginProblem> problems() {
    return problems.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Looks at the directory.
   *
   * @return whether it is as it was when it was last looked at
   */
  boolean look() {
    String directory = config.directory().toString();
    problems.remove(directory);
    try {
      SortedMap<String, PluginJar> found = PluginJar.in(config.directory());
      boolean same = found.equals(seen);
      seen = found;
      return same;
    } catch (IOException e) {
      // what cannot be read has not gone
      say(
          directory,
          "the directory cannot be read ("
              + e.getClass().getSimpleName()
              + "): name an existing one with --plugins");
      return true;
    }
  }

  /**
   * Loads, replaces and ends what was seen to have come, changed or gone.
   *
   * @return the names of the plugins that it was about
   */
  Set<String> follow() throws InterruptedException {
    Set<String> changed = new HashSet<>();
    for (String name : List.copyOf(tried.keySet())) {
      if (!seen.containsKey(name)) {
        changed.addAll(takeAway(name));
      }
    }
    for (PluginJar source : seen.values()) {
      // one that was refused because of another one's name may have it now
      boolean again = problems.containsKey(source.name()) && !changed.isEmpty();
      if (!source.equals(tried.get(source.name())) || again) {
        changed.addAll(load(source));
      }
    }
    return changed;
  }

  private Set<String> takeAway(String name) throws InterruptedException {
    tried.remove(name);
    problems.remove(name);
    LoadedJar gone = jars.get(name);
    if (gone == null || isPinned(gone)) {
      return Set.of();
    }
    Set<String> names = end(gone, config.deadline());
    LOG.log(System.Logger.Level.INFO, () -> "plugin " + name + " was taken away");
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
                + " connects to CSI drivers: its change takes effect when Mooring is started again");
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
    } catch (LoadedJar.Unusable e) {
      say(name, e.getMessage() + (before == null ? "" : KEEPS_RUNNING));
      return Set.of();
    }
    return before == null ? begin(fresh) : replace(before, fresh);
  }

  private Set<String> begin(LoadedJar fresh) {
    jars.put(fresh.source().name(), fresh);
    Started started = start(fresh);
    started.problems().forEach(problem -> say(fresh.source().name(), problem));
    return started.names();
  }

  /** Ends the version before, and starts it again if one of its plugins refuses to start. */
  private Set<String> replace(LoadedJar before, LoadedJar fresh) throws InterruptedException {
    String name = fresh.source().name();
    Set<String> changed = new HashSet<>(slots.end(before, config.deadline()));
    before.unload();
    jars.put(name, fresh);
    Started started = start(fresh);
    boolean keeps =
        fresh.instances().stream()
            .map(Instance::name)
            .anyMatch(plugin -> changed.contains(plugin) && !started.names().contains(plugin));
    changed.addAll(started.names());
    if (!keeps) {
      before.files().close();
      started.problems().forEach(problem -> say(name, problem));
      LOG.log(System.Logger.Level.INFO, () -> "plugin " + name + " is replaced");
      return changed;
    }
    end(fresh, config.deadline());
    try {
      changed.addAll(begin(LoadedJar.load(before.source(), before.files(), config.deadline())));
      started.problems().forEach(problem -> say(name, problem + KEEPS_RUNNING));
    } catch (LoadedJar.Unusable e) {
      started.problems().forEach(problem -> say(name, problem));
      say(name, "the version before it cannot be loaded again: " + e.getMessage());
    }
    return changed;
  }

  /**
   * What came of starting a jar's plugins.
   *
   * @param names of those that started
   * @param problems of the others
   */
  private record Started(Set<String> names, List<String> problems) {}

  private Started start(LoadedJar loaded) {
    String jar = loaded.source().name();
    slots.version(jar, loaded.version());
    Set<String> names = new HashSet<>();
    List<String> refused = new ArrayList<>();
    for (Instance instance : loaded.instances()) {
      try {
        slots.start(jar, instance);
        names.add(instance.name());
      } catch (LoadedJar.Unusable e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    for (CsiConnector connector : loaded.connectors()) {
      try {
        slots.take(jar, connector);
      } catch (LoadedJar.Unusable e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Started(names, refused);
  }

  private Set<String> end(LoadedJar loaded, Duration grace) throws InterruptedException {
    jars.remove(loaded.source().name());
    Set<String> names = slots.end(loaded, grace);
    loaded.discard();
    return names;
  }

  private void say(String jar, String problem) {
    problems.computeIfAbsent(jar, name -> new ArrayList<>()).add(new PluginProblem(jar, problem));
  }

  /** Ends all. */
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
