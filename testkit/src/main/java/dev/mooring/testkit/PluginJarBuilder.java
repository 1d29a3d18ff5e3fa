package dev.mooring.testkit;

import dev.mooring.spi.SpiLevel;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds plugin jars from source text, for tests of plugin loading. */
public final class PluginJarBuilder {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  // Keeps the jars of the class path open: opening them takes longer than a compilation.
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private final Path jar;
  private final Manifest manifest = new Manifest();
  private final List<JavaFileObject> sources = new ArrayList<>();
  private final List<String> services = new ArrayList<>();
  private final List<String> options = new ArrayList<>();

  private PluginJarBuilder(Path jar) {
    this.jar = jar;
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    level(String.valueOf(SpiLevel.CURRENT));
  }

  public static PluginJarBuilder at(Path jar) {
    return new PluginJarBuilder(jar);
  }

  public PluginJarBuilder level(String level) {
    manifest.getMainAttributes().putValue(SpiLevel.ATTRIBUTE, level);
    return this;
  }

  public PluginJarBuilder manifest(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
    return this;
  }

  public PluginJarBuilder compiledWith(Path library) {
    options.addAll(List.of("-cp", library + System.getProperty("path.separator") + classPath()));
    return this;
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  public PluginJarBuilder with(String name, String source) {
    URI uri = URI.create("string:///" + name.replace('.', '/') + ".java");
    sources.add(
        new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        });
    return this;
  }

  public PluginJarBuilder withPlugin(String className, String source) {
    services.add(className);
    return with(className, source);
  }

  /**
   * Adds a plugin of hostPath volumes.
   *
   * @param className fully qualified name
   * @param pluginName name of the plugin
   * @param members further members; {@code spi}, {@code model} and {@code java.util} are imported
   */
  public PluginJarBuilder withPlugin(String className, String pluginName, String members) {
    int dot = className.lastIndexOf('.');
    return withPlugin(
        className,
        String.format(
            Locale.ROOT,
            """
            package %s;

            import dev.mooring.model.*;
            import dev.mooring.spi.*;
            import java.util.*;

            public final class %s implements VolumePlugin {
              @Override
              public String name() {
                return "%s";
              }

              @Override
              public boolean supports(VolumeSource source) {
                return source.type().equals("hostPath");
              }

              %s
            }
            """,
            className.substring(0, dot),
            className.substring(dot + 1),
            pluginName,
            members));
  }

  public Path write() throws IOException {
    Path classes = Files.createTempDirectory("plugin-classes");
    compile(classes);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> paths = Files.walk(classes)) {
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        put(out, classes.relativize(path).toString(), Files.readAllBytes(path));
      }
      if (!services.isEmpty()) {
        byte[] names = String.join("\n", services).getBytes(StandardCharsets.UTF_8);
        put(out, "META-INF/services/" + VolumePlugin.class.getName(), names);
      }
    }
    try (Stream<Path> paths = Files.walk(classes)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
    return jar;
  }

  private static void put(JarOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(bytes);
    out.closeEntry();
  }

  private void compile(Path classes) {
    if (sources.isEmpty()) {
      return;
    }
    StringWriter messages = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "-proc:none"));
    arguments.addAll(options.isEmpty() ? List.of("-cp", classPath()) : options);
    // another class path may contain jars that change between compilations
    StandardJavaFileManager files = options.isEmpty() ? FILES : null;
    synchronized (FILES) {
      if (!COMPILER.getTask(messages, files, null, arguments, null, sources).call()) {
        throw new IllegalArgumentException("does not compile: " + messages);
      }
    }
  }
}
