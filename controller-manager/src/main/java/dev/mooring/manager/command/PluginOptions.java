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

final class PluginOptions {
  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Directory of plugins: jars, or folders of jars. Default: plugins/ beside the program's jar.")
  private @Nullable Path directory;

  @Option(
      names = "--plugin-allow",
      paramLabel = "FILE",
      description =
          "Checksum file, as written by sha256sum. Only the listed jars are loaded, including libraries in plugin folders. Read again for every jar. Default: all jars are loaded.")
  private @Nullable Path allowed;

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

  PluginRegistry registry(Map<String, String> settings)
      throws UsageException, InterruptedException {
    return PluginRegistry.read(config(settings, PluginRegistry.DEADLINE, false));
  }

  Path directory() {
    if (directory != null) {
      return directory;
    }
    Path defaultDirectory = defaultDirectory();
    Path besideProgram = defaultDirectory.resolve("plugins");
    return Files.isDirectory(besideProgram) ? besideProgram : Path.of("plugins");
  }

  static Path defaultDirectory() {
    try {
      URL location = PluginOptions.class.getProtectionDomain().getCodeSource().getLocation();
      // With an AOT cache from another directory, a class does not know its location.
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
