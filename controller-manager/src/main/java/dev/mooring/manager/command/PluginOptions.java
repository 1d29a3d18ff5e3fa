package dev.mooring.manager.command;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  PluginOptions() {}

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
      Path code =
          Path.of(PluginOptions.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path parent = code.toAbsolutePath().getParent();
      return parent == null ? Path.of("") : parent;
    } catch (URISyntaxException e) {
      return Path.of("");
    }
  }
}
