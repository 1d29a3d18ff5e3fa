package dev.mooring.dist.image;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A JDK, and runtimes that are linked of it: the one that this process runs on, or one for another
 * processor, which this process's tools read and cannot run.
 */
final class JavaRuntime {
  private static final String JMODS = "jmods";

  /**
   * What no tool sees that reads class files: services that are looked up by name, and what plugins
   * may count on ({@code docs/build.md}).
   */
  private static final Set<String> ALWAYS =
      Set.of(
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.xml",
          "jdk.unsupported",
          "jdk.zipfs");

  /**
   * SnakeYAML reads beans with it if it is there, and commons-lang has a class that nobody uses: a
   * third of a runtime, and X11.
   */
  private static final Set<String> NEVER = Set.of("java.desktop");

  private static final String VERSION = "JAVA_VERSION";

  private final Path home;
  private final boolean other;
  private final Properties release = new Properties();

  JavaRuntime() throws IOException {
    this(Path.of(System.getProperty("java.home")), false);
  }

  private JavaRuntime(Path home, boolean other) throws IOException {
    this.home = home;
    this.other = other;
    try (var in = Files.newBufferedReader(home.resolve("release"))) {
      release.load(in);
    }
  }

  /**
   * One for another processor.
   *
   * @param home where it is
   * @param architecture that processor, by the name that images have for it
   * @throws RefusedException if no runtime for that processor can be linked of it by this process
   */
  static JavaRuntime other(Path home, String architecture) throws IOException {
    JavaRuntime own = new JavaRuntime();
    if (own.architecture().equals(architecture)) {
      throw new RefusedException("this machine's own image is for " + architecture + " already");
    }
    if (!Files.isRegularFile(home.resolve("release"))) {
      throw new RefusedException(home + " is no JDK: it has no file 'release'");
    }
    JavaRuntime jdk = new JavaRuntime(home, true);
    String platform = jdk.release("OS_NAME") + "/" + jdk.architecture();
    if (!platform.equals("Linux/" + architecture)) {
      throw new RefusedException(
          "%s is a JDK for %s, not for Linux/%s".formatted(home, platform, architecture));
    }
    if (!jdk.release(VERSION).equals(own.release(VERSION))) {
      throw new RefusedException(
          "%s is a JDK %s, and this is built with %s: they must be of the same version"
              .formatted(home, jdk.release(VERSION), own.release(VERSION)));
    }
    if (!Files.isRegularFile(home.resolve(JMODS).resolve("java.base.jmod"))) {
      throw new RefusedException(
          home
              + " has no jmods, of which alone a runtime for another processor can be linked;"
              + " where they are an archive of their own, unpack it there");
    }
    return jdk;
  }

  Path home() {
    return home;
  }

  /** What its file {@code release} says, {@code ""} for nothing. */
  String release(String name) {
    return release.getProperty(name, "").replace("\"", "");
  }

  /** Its processor, by the name that images have for it. */
  String architecture() {
    return switch (release("OS_ARCH")) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> release("OS_ARCH");
    };
  }

  /**
   * Why no runtime can be linked of it, {@code ""} if one can: its modules are there as files, or
   * it was built to be linked of itself (JEP 493).
   */
  String notLinkable() {
    if (ToolProvider.findFirst("jlink").isEmpty() || ToolProvider.findFirst("jdeps").isEmpty()) {
      return home + " has no jlink and jdeps";
    }
    if (Files.isDirectory(home.resolve(JMODS))) {
      return "";
    }
    try {
      String help = run("jlink", List.of("--help"));
      return help.contains("Linking from run-time image enabled")
          ? ""
          : home + " has no jmods, and was not built to be linked without them";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * The modules that programs need, and those that they may need; sorted.
   *
   * @param programs the jars that are started or dropped in
   * @param libraries the jars that these are used with
   */
  Set<String> modules(List<Path> programs, List<Path> libraries) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--multi-release",
                "25",
                "--ignore-missing-deps",
                "--print-module-deps",
                "--recursive",
                "--class-path",
                String.join(File.pathSeparator, libraries.stream().map(Path::toString).toList())));
    programs.forEach(jar -> args.add(jar.toString()));
    Set<String> modules = new TreeSet<>(ALWAYS);
    List<String> said = run("jdeps", args).lines().toList(); // warnings first
    modules.addAll(List.of(said.getLast().split(",")));
    modules.removeAll(NEVER);
    return modules;
  }

  /**
   * Links a runtime of these modules, without what only builders and readers of manuals need, and
   * without an archive of the JDK's own classes: they are in the one of the program.
   *
   * @return the files that it was linked of, by what is to be added to the JDK's name
   */
  Map<String, Path> link(Set<String> modules, Path into) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--add-modules",
                String.join(",", modules),
                "--output",
                into.toString(),
                "--no-header-files",
                "--no-man-pages",
                "--vm=server"));
    if (other) {
      args.addAll(List.of("--module-path", home.resolve(JMODS).toString()));
    }
    run("jlink", args);
    try (Stream<Path> files = Files.walk(into)) { // Debian's jmods have them
      for (Path file : files.filter(f -> f.toString().endsWith(".debuginfo")).toList()) {
        Files.delete(file);
      }
    }
    try (Stream<Path> programs = Files.list(into.resolve("bin"))) {
      for (Path program : programs.toList()) {
        if (!program.endsWith("java")) {
          Files.delete(program);
        }
      }
    }
    return linkedOf(into);
  }

  private Map<String, Path> linkedOf(Path runtime) throws IOException {
    if (!other) {
      return Map.of("", home.resolve("lib/modules"));
    }
    Map<String, Path> files = new TreeMap<>();
    for (String module : new JavaRuntime(runtime, true).release("MODULES").split(" ")) {
      String file = JMODS + "/" + module + ".jmod";
      files.put("#" + file, home.resolve(file));
    }
    return files;
  }

  private static String run(String tool, List<String> args) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
    if (code != 0) {
      throw new IOException(tool + " ended with " + code + ": " + out + err);
    }
    return out.toString();
  }
}
