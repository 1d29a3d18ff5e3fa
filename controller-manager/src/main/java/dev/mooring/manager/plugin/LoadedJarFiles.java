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

record LoadedJarFiles(List<Path> jars, @Nullable JarStaging staging) {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9._-]+");

  static LoadedJarFiles of(
      PluginJar source, @Nullable JarStaging staging, @Nullable AllowList allowList)
      throws LoadedJar.UnusableJarException {
    if (source.jars().isEmpty()) {
      throw new LoadedJar.UnusableJarException(
          "the folder has no jar, or is not readable: add the plugin's jars, or remove the folder");
    }
    boolean isUsable = false;
    LoadedJarFiles files = new LoadedJarFiles(source.jars(), null);
    try {
      if (staging != null) {
        List<Path> copies = staging.copy(source.jars());
        files = new LoadedJarFiles(copies, copies.equals(source.jars()) ? null : staging);
      }
      if (allowList != null && files.staging() == null) {
        throw new LoadedJar.UnusableJarException(
            "cannot be copied to "
                + System.getProperty("java.io.tmpdir")
                + ", so --plugin-allow cannot guarantee which bytes are loaded: make that directory writable, or specify another with -Djava.io.tmpdir");
      }
      String refusal = allowList == null ? "" : allowList.refusal(files.jars());
      if (!refusal.isEmpty()) {
        throw new LoadedJar.UnusableJarException(refusal);
      }
      for (Path jar : files.jars()) {
        files.checkManifest(jar);
      }
      isUsable = true;
      return files;
    } catch (IOException e) {
      throw new LoadedJar.UnusableJarException(
          "not a readable jar (" + RootCause.line(e) + "): build or copy it again");
    } finally {
      if (!isUsable) {
        files.close();
      }
    }
  }

  private void checkManifest(Path file) throws IOException, LoadedJar.UnusableJarException {
    try (JarFile jar = new JarFile(file.toFile())) {
      Optional<Attributes> manifest =
          Optional.ofNullable(jar.getManifest()).map(Manifest::getMainAttributes);
      Optional<String> level = manifest.map(a -> a.getValue(SpiLevel.ATTRIBUTE));
      if (level.isPresent()) {
        checkLevel(file, level.get().strip());
      }
      Optional<String> classPath = manifest.map(a -> a.getValue(Attributes.Name.CLASS_PATH));
      if (classPath.isPresent()) {
        checkClassPath(file, classPath.get());
      }
    }
  }

  /**
   * Rejects class paths in the manifest, because the class loader would follow them to unchecked
   * jars.
   */
  private void checkClassPath(Path file, String classPath) throws LoadedJar.UnusableJarException {
    for (String entry : classPath.strip().split("\\s+")) {
      boolean isOwnJar =
          PLAIN_NAME.matcher(entry).matches()
              && jars.stream().anyMatch(jar -> jar.equals(file.resolveSibling(entry)));
      if (!isOwnJar && !entry.isEmpty()) {
        throw new LoadedJar.UnusableJarException(
            "%s names \"%s\" in Class-Path of its manifest, which is not a jar of the plugin: put all jars of the plugin into one folder, and build this jar without Class-Path"
                .formatted(file.getFileName(), entry));
      }
    }
  }

  String version() {
    for (Path file : jars) {
      try (JarFile jar = new JarFile(file.toFile())) {
        Manifest manifest = jar.getManifest();
        Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
        String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        if (attributes.containsKey(new Attributes.Name(SpiLevel.ATTRIBUTE)) && version != null) {
          return version.strip();
        }
      } catch (IOException e) {
        return "";
      }
    }
    return "";
  }

  private static void checkLevel(Path file, String level) throws LoadedJar.UnusableJarException {
    int number;
    try {
      number = Integer.parseInt(level);
    } catch (NumberFormatException e) {
      throw new LoadedJar.UnusableJarException(
          "%s has %s: %s in its manifest, which is not a number: specify %s"
              .formatted(file.getFileName(), SpiLevel.ATTRIBUTE, level, SpiLevel.CURRENT));
    }
    if (number < SpiLevel.OLDEST || number > SpiLevel.CURRENT) {
      throw new LoadedJar.UnusableJarException(
          "%s is built for level %s of the plugin interface; this version of Mooring supports %s%s: %s"
              .formatted(
                  file.getFileName(),
                  number,
                  SpiLevel.OLDEST == SpiLevel.CURRENT ? "" : SpiLevel.OLDEST + " to ",
                  SpiLevel.CURRENT,
                  number > SpiLevel.CURRENT
                      ? "use a newer Mooring, or an older version of the plugin"
                      : "use a newer version of the plugin"));
    }
  }

  URL[] urls() {
    return jars.stream()
        .map(jar -> {
          try {
            return jar.toUri().toURL();
          } catch (MalformedURLException e) {
            throw new IllegalStateException("file URLs are always valid", e);
          }
        })
        .toArray(URL[]::new);
  }

  void close() {
    if (staging != null) {
      staging.remove(jars);
    }
  }
}
