package dev.mooring.manager.plugin;

import dev.mooring.model.VolumeSource;
import dev.mooring.operation.Plugins;
import dev.mooring.spi.PluginContext;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.spi.csi.CsiConnector;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The plugins of a directory: each jar, or folder of jars, is one plugin with a class loader of its
 * own. What cannot be used is a problem on one line; the others run. Immutable once read.
 */
public final class PluginRegistry implements Plugins {
  /**
   * A plugin that is loaded.
   *
   * @param name its name
   * @param jar where it came from
   * @param capabilities what it can do
   */
  public record Loaded(String name, String jar, List<String> capabilities) {}

  /** How long a call may take, unless something else is said. */
  public static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Map<String, GuardedPlugin> plugins = new LinkedHashMap<>();
  private final Map<String, String> jars = new LinkedHashMap<>();
  private final List<PluginProblem> problems = new ArrayList<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  private @Nullable CsiConnector csi;
  private String csiJar = "";

  private final Duration deadline;

  private PluginRegistry(Duration deadline) {
    this.deadline = deadline;
  }

  /**
   * Reads a directory. One that does not exist holds no plugins, and is a problem.
   *
   * @param directory where the jars are
   * @param settings the host's settings, by flag name
   */
  public static PluginRegistry read(Path directory, Map<String, String> settings) {
    return read(directory, settings, DEADLINE);
  }

  /**
   * Reads a directory. One that does not exist holds no plugins, and is a problem.
   *
   * @param directory where the jars are
   * @param settings the host's settings, by flag name
   * @param deadline how long a call to a plugin may take
   */
  public static PluginRegistry read(
      Path directory, Map<String, String> settings, Duration deadline) {
    PluginRegistry registry = new PluginRegistry(deadline);
    Map<String, List<Path>> found = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (Files.isDirectory(entry)) {
          found.put(name, jarsIn(entry));
        } else if (name.endsWith(".jar")) {
          found.put(name, List.of(entry));
        }
      }
    } catch (IOException e) {
      registry.problems.add(
          new PluginProblem(
              directory.toString(),
              "the directory cannot be read ("
                  + e.getClass().getSimpleName()
                  + "): name an existing one with --plugins"));
    }
    found.forEach((name, files) -> registry.load(name, files, settings));
    return registry;
  }

  private static List<Path> jarsIn(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.jar")) {
      List<Path> jars = new ArrayList<>();
      entries.forEach(jars::add);
      jars.sort(null);
      return jars;
    }
  }

  private void load(String jar, List<Path> files, Map<String, String> settings) {
    try {
      URL[] urls = new URL[files.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = files.get(i).toUri().toURL();
      }
      for (Path file : files) {
        try (ZipFile readable = new ZipFile(file.toFile())) {
          readable.size();
        }
      }
      ClassLoader loader = new PluginClassLoader(jar, urls, PluginRegistry.class.getClassLoader());
      List<GuardedPlugin> services = GuardedPlugin.allIn(loader, deadline);
      services.forEach(plugin -> add(jar, plugin, settings));
      List<GuardedConnector> connectors = GuardedConnector.allIn(loader);
      connectors.forEach(connector -> add(jar, connector));
      if (services.isEmpty() && connectors.isEmpty()) {
        problems.add(
            new PluginProblem(
                jar,
                "no service found: list the plugin's class in META-INF/services/"
                    + VolumePlugin.class.getName()));
      }
    } catch (MalformedURLException e) {
      problems.add(new PluginProblem(jar, "its path is not a usable address: " + e.getMessage()));
    } catch (IOException e) {
      problems.add(
          new PluginProblem(
              jar, "not a readable jar (" + e.getMessage() + "): build or copy it again"));
    } catch (ServiceConfigurationError | RuntimeException e) {
      problems.add(
          new PluginProblem(
              jar,
              "cannot be loaded ("
                  + cause(e)
                  + "): is it built for this version of Mooring, with its libraries beside it?"));
    }
  }

  private static String cause(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName()
        + (root.getMessage() == null
            ? ""
            : ": " + root.getMessage().lines().findFirst().orElse(""));
  }

  private void add(String jar, GuardedPlugin plugin, Map<String, String> settings) {
    String other = jars.get(plugin.name());
    if (other != null) {
      problems.add(
          new PluginProblem(
              jar,
              "its name \""
                  + plugin.name()
                  + "\" is taken by "
                  + other
                  + ": remove one of the two"));
      return;
    }
    try {
      plugin.start(new Context(plugin.name(), Map.copyOf(settings), asked));
    } catch (RuntimeException e) {
      problems.add(new PluginProblem(jar, "refuses to start (" + cause(e) + ")"));
      return;
    }
    plugins.put(plugin.name(), plugin);
    jars.put(plugin.name(), jar);
  }

  private void add(String jar, GuardedConnector connector) {
    if (csi != null) {
      problems.add(
          new PluginProblem(
              jar, "the CSI bridge is loaded from " + csiJar + ": remove one of the two"));
      return;
    }
    csi = connector;
    csiJar = jar;
  }

  private record Context(String plugin, Map<String, String> settings, Set<String> asked)
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

  @Override
  public Optional<VolumePlugin> named(String name) {
    return Optional.ofNullable(plugins.get(name));
  }

  @Override
  public List<VolumePlugin> supporting(VolumeSource source) {
    return plugins.values().stream()
        .<VolumePlugin>map(p -> p)
        .filter(p -> p.supports(source))
        .toList();
  }

  /** The plugins that are not Kubernetes' own ones. */
  public List<VolumePlugin> outOfTree() {
    return plugins.values().stream().<VolumePlugin>map(p -> p).filter(p -> !isInTree(p)).toList();
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
        return PluginRegistry.this.supporting(source).stream()
            .filter(PluginRegistry::isInTree)
            .toList();
      }
    };
  }

  private static boolean isInTree(VolumePlugin plugin) {
    return plugin.name().startsWith("kubernetes.io/");
  }

  /** What connects to CSI drivers, if it is loaded. */
  public Optional<CsiConnector> csi() {
    return Optional.ofNullable(csi);
  }

  /** What is loaded. */
  public Collection<Loaded> loaded() {
    List<Loaded> all = new ArrayList<>(volumePlugins());
    if (csi != null) {
      all.add(new Loaded("csi-bridge", csiJar, List.of("connect to CSI drivers")));
    }
    return all;
  }

  private List<Loaded> volumePlugins() {
    return plugins.values().stream()
        .map(p -> {
          List<String> can = new ArrayList<>();
          p.provisioner().ifPresent(x -> can.add("provision"));
          p.deleter().ifPresent(x -> can.add("delete"));
          p.attacher().ifPresent(x -> can.add("attach"));
          p.expander().ifPresent(x -> can.add("expand"));
          return new Loaded(p.name(), String.valueOf(jars.get(p.name())), can);
        })
        .toList();
  }

  /** The settings that plugins have asked for when they were started. */
  public Set<String> settingsAsked() {
    return Set.copyOf(asked);
  }

  /** What could not be loaded. */
  public List<PluginProblem> problems() {
    return List.copyOf(problems);
  }

  /** Calls that do not end although they were interrupted, by plugin. */
  public Map<String, Integer> hanging() {
    Map<String, Integer> counts = new TreeMap<>();
    plugins.forEach((name, plugin) -> counts.put(name, plugin.hanging()));
    return counts;
  }

  /** Calls that a plugin answered with an exception, by plugin. */
  public Map<String, Long> faults() {
    Map<String, Long> counts = new TreeMap<>();
    plugins.forEach((name, plugin) -> counts.put(name, plugin.faults()));
    return counts;
  }
}
