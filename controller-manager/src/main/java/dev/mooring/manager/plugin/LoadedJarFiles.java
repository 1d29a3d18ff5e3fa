package dev.mooring.manager.plugin;

import dev.mooring.spi.SpiLevel;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A plugin's jars, found good.
 *
 * @param jars where they are
 * @param staging where they were copied to, null if they are those of the directory
 */
record LoadedJarFiles(List<Path> jars, @Nullable Staging staging) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");

  /**
   * Those of the source; they may be loaded, and can be read.
   *
   * @param allowed which may be, null for all
   * @throws LoadedJar.Unusable if one may not, or is broken, or made for another version
   */
  static LoadedJarFiles of(PluginJar source, @Nullable Staging staging, @Nullable AllowList allowed)
      throws LoadedJar.Unusable {
    boolean good = false;
    LoadedJarFiles files = new LoadedJarFiles(source.jars(), null);
    try {
      if (staging != null) {
        List<Path> copies = staging.of(source.jars());
        files = new LoadedJarFiles(copies, copies.equals(source.jars()) ? null : staging);
      }
      if (allowed != null && files.staging() == null) {
        throw new LoadedJar.Unusable(
            "cannot be copied to "
                + System.getProperty("java.io.tmpdir")
                + ", so that --plugin-allow proves nothing for what is loaded: make that directory writable, or name another with -Djava.io.tmpdir");
      }
      String refusal = allowed == null ? "" : allowed.refuses(files.jars());
      if (!refusal.isEmpty()) {
        throw new LoadedJar.Unusable(refusal);
      }
      for (Path jar : files.jars()) {
        files.check(jar);
      }
      good = true;
      return files;
    } catch (IOException e) {
      throw new LoadedJar.Unusable(
          "not a readable jar (" + e.getMessage() + "): build or copy it again");
    } finally {
      if (!good) {
        files.close();
      }
    }
  }

  private void check(Path file) throws IOException, LoadedJar.Unusable {
    try (JarFile jar = new JarFile(file.toFile())) {
      Optional<Attributes> manifest =
          Optional.ofNullable(jar.getManifest()).map(Manifest::getMainAttributes);
      Optional<String> level = manifest.map(a -> a.getValue(SpiLevel.ATTRIBUTE));
      if (level.isPresent()) {
        check(file, level.get().strip());
      }
      Optional<String> classPath = manifest.map(a -> a.getValue(Attributes.Name.CLASS_PATH));
      if (classPath.isPresent()) {
        checkClassPath(file, classPath.get());
      }
    }
  }

  /** A class loader follows the class path to jars that were never found good. */
  private void checkClassPath(Path file, String classPath) throws LoadedJar.Unusable {
    for (String other : classPath.strip().split("\\s+")) {
      boolean own =
          PLAIN.matcher(other).matches()
              && jars.stream().anyMatch(jar -> jar.equals(file.resolveSibling(other)));
      if (!own && !other.isEmpty()) {
        throw new LoadedJar.Unusable(
            file.getFileName()
                + " names \""
                + other
                + "\" in Class-Path of its manifest, which is no jar of the plugin: put all jars of the plugin into one folder, and build this jar without Class-Path");
      }
    }
  }

  /** What the jar with the plugin says of its version; "" if none says what it is. */
  String version() {
    for (Path file : jars) {
      try (JarFile jar = new JarFile(file.toFile())) {
        Manifest manifest = jar.getManifest();
        Attributes of = manifest == null ? new Attributes() : manifest.getMainAttributes();
        String version = of.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        if (of.containsKey(new Attributes.Name(SpiLevel.ATTRIBUTE)) && version != null) {
          return version.strip();
        }
      } catch (IOException gone) {
        return "";
      }
    }
    return "";
  }

  private static void check(Path file, String level) throws LoadedJar.Unusable {
    int number;
    try {
      number = Integer.parseInt(level);
    } catch (NumberFormatException e) {
      throw new LoadedJar.Unusable(
          file.getFileName()
              + " says "
              + SpiLevel.ATTRIBUTE
              + ": "
              + level
              + " in its manifest, which is no number: write "
              + SpiLevel.CURRENT);
    }
    if (number < SpiLevel.OLDEST || number > SpiLevel.CURRENT) {
      throw new LoadedJar.Unusable(
          file.getFileName()
              + " is built against level "
              + number
              + " of the plugin interface, this version of Mooring takes "
              + (SpiLevel.OLDEST == SpiLevel.CURRENT ? "" : SpiLevel.OLDEST + " to ")
              + SpiLevel.CURRENT
              + ": "
              + (number > SpiLevel.CURRENT
                  ? "take a newer Mooring, or an older version of the plugin"
                  : "take a newer version of the plugin"));
    }
  }

  URL[] urls() {
    return jars.stream()
        .map(jar -> {
          try {
            return jar.toUri().toURL();
          } catch (MalformedURLException e) {
            throw new IllegalStateException("files have addresses", e);
          }
        })
        .toArray(URL[]::new);
  }

  /** They are not needed any longer. */
  void close() {
    if (staging != null) {
      staging.remove(jars);
    }
  }
}
