package dev.mooring.it;

import com.google.gson.stream.JsonReader;
import dev.mooring.plugin.hostpath.HostPathPlugin;
import dev.mooring.plugin.localpath.LocalPathPlugin;
import dev.mooring.plugin.nfs.NfsPlugin;
import dev.mooring.spi.SpiLevel;
import dev.mooring.spi.csi.CsiConnector;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Paths of test resources and build outputs. */
public final class Resources {
  private static final Map<String, Path> DIRECTORIES = new HashMap<>();

  private Resources() {}

  public static Path path(String name) {
    try {
      return Path.of(Objects.requireNonNull(Resources.class.getResource("/" + name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  /** Returns a plugin directory with the project's own plugins, packed from the class path. */
  public static synchronized Path plugins() throws IOException, URISyntaxException {
    Path directory = directoryOfProcess("plugins");
    pack(HostPathPlugin.class, directory.resolve("plugins-hostpath.jar"));
    pack(NfsPlugin.class, directory.resolve("plugins-nfs.jar"));
    Path localPath = Files.createDirectories(directory.resolve("plugins-local-path"));
    pack(LocalPathPlugin.class, localPath.resolve("plugins-local-path.jar"));
    pack(JsonReader.class, localPath.resolve("gson.jar"));
    return directory;
  }

  /** Returns a plugin directory with {@link #plugins} and {@link #hostBridge}. */
  public static synchronized Path allPlugins() throws IOException, URISyntaxException {
    Path directory = directoryOfProcess("all-plugins");
    for (Path source : new Path[] {plugins(), hostBridge()}) {
      try (var files = Files.list(source)) {
        for (Path file : files.toList()) {
          Path link = directory.resolve(file.getFileName());
          if (!Files.exists(link)) {
            Files.createSymbolicLink(link, file.toAbsolutePath());
          }
        }
      }
    }
    return directory;
  }

  /**
   * Returns a directory of this process, since other test processes must not read unfinished jars.
   */
  private static Path directoryOfProcess(String name) throws IOException {
    Path existing = DIRECTORIES.get(name);
    if (existing != null) {
      return existing;
    }
    Path created = Files.createTempDirectory(Files.createDirectories(Path.of("target", name)), "");
    DIRECTORIES.put(name, created);
    return created;
  }

  private static void pack(Class<?> plugin, Path jar) throws IOException, URISyntaxException {
    if (Files.exists(jar)) {
      return;
    }
    Path code = Path.of(plugin.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(code)) {
      Files.copy(code, jar, StandardCopyOption.REPLACE_EXISTING);
      return;
    }
    try (var jarOut = new JarOutputStream(Files.newOutputStream(jar), manifest());
        var files = Files.walk(code)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        jarOut.putNextEntry(new ZipEntry(code.relativize(file).toString()));
        Files.copy(file, jarOut);
        jarOut.closeEntry();
      }
    }
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "0.1.0-TEST");
    manifest.getMainAttributes().putValue(SpiLevel.ATTRIBUTE, String.valueOf(SpiLevel.CURRENT));
    return manifest;
  }

  /** Returns a plugin directory with a {@link HostBridge}. */
  public static synchronized Path hostBridge() throws IOException {
    Path directory = directoryOfProcess("host-bridge");
    Path jar = directory.resolve("host-bridge.jar");
    if (!Files.exists(jar)) {
      String classFile = HostBridge.class.getName().replace('.', '/') + ".class";
      try (var jarOut = new JarOutputStream(Files.newOutputStream(jar), manifest());
          InputStream code =
              Objects.requireNonNull(Resources.class.getResourceAsStream("/" + classFile))) {
        jarOut.putNextEntry(new ZipEntry(classFile));
        code.transferTo(jarOut);
        jarOut.putNextEntry(new ZipEntry("META-INF/services/" + CsiConnector.class.getName()));
        jarOut.write(HostBridge.class.getName().getBytes(StandardCharsets.UTF_8));
      }
    }
    return directory;
  }

  /** Returns the assembled jar, with its libraries beside it. */
  public static Path distribution() {
    Path root = Path.of(System.getProperty("mooring.root", ".."));
    Path jar =
        root.resolve(
            Path.of("controller-manager", "target", "mooring", "mooring-controller-manager.jar"));
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          jar + " is not there: package controller-manager first (./mooring test does)");
    }
    return jar;
  }

  /** Returns a plugin directory with the packaged CSI bridge. */
  public static synchronized Path csiPlugins() {
    Path root = Path.of(System.getProperty("mooring.root", ".."));
    Path folder = root.resolve(Path.of("plugins-csi-bridge", "target", "plugin"));
    if (!Files.isDirectory(folder)) {
      throw new IllegalStateException(
          folder + " is not there: package plugins-csi-bridge first (./mooring test does)");
    }
    try {
      Path directory = directoryOfProcess("csi-plugins");
      Path link = directory.resolve("plugins-csi-bridge");
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, folder.toAbsolutePath());
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
