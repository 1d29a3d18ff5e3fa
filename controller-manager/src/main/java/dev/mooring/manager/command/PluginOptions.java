package dev.mooring.manager.command;

import dev.mooring.manager.plugin.AllowList;
import dev.mooring.manager.plugin.PluginRegistry;
import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where plugins are. */
final class PluginOptions {
  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Directory of plugin jars, or of folders of jars. Default: plugins/ beside the program's jar.")
  private @Nullable Path directory;

  @Option(
      names = "--plugin-allow",
      paramLabel = "FILE",
      description =
          "Load only jars whose sha256 is in FILE, which sha256sum writes; the libraries of a plugin's folder included. It is read again for every jar. Default: every jar is loaded.")
  private @Nullable Path allowed;

  /**
   * How to load them.
   *
   * @param settings what plugins may ask for
   * @param timeout how long a call may take
   * @param replaceable whether jars may be replaced meanwhile
   */
  PluginRegistry.Config config(Map<String, String> settings, Duration timeout, boolean replaceable)
      throws UsageException {
    return new PluginRegistry.Config(directory(), settings, timeout, allowList(), replaceable);
  }

  private @Nullable AllowList allowList() throws UsageException {
    try {
      return allowed == null ? null : AllowList.of(allowed);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  /** Loads them, for once. */
  PluginRegistry registry(Map<String, String> settings)
      throws UsageException, InterruptedException {
    return PluginRegistry.read(config(settings, PluginRegistry.DEADLINE, false));
  }

  Path directory() {
    if (directory != null) {
      return directory;
    }
    Path home = home();
    Path beside = home.resolve("plugins");
    return Files.isDirectory(beside) ? beside : Path.of("plugins");
  }

  /** The distribution's folder. */
  static Path home() {
    try {
      URL location = PluginOptions.class.getProtectionDomain().getCodeSource().getLocation();
      // a class from a cache that was made in another folder does not know where it is from
      Path code =
          location == null
              ? Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0])
              : Path.of(location.toURI());
      Path parent = code.toAbsolutePath().getParent();
      return parent == null ? Path.of("") : parent;
    } catch (URISyntaxException e) {
      return Path.of("");
    }
  }
}
