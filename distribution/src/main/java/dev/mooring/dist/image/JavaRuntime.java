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
 * A JDK from which runtimes are linked: the running one, or one for another processor, which the
 * running tools can read but not execute.
 */
final class JavaRuntime {
  private static final String JMODS = "jmods";

  /**
   * Modules that jdeps does not report: services that are looked up by name, and modules that
   * plugins may use ({@code docs/build.md}).
   */
  private static final Set<String> REQUIRED_MODULES =
      Set.of(
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.xml",
          "jdk.unsupported",
          "jdk.zipfs");

  /**
   * Optional in SnakeYAML, and used by an unused class of commons-lang. It would be a third of the
   * runtime and would require X11.
   */
  private static final Set<String> EXCLUDED_MODULES = Set.of("java.desktop");

  private static final String VERSION = "JAVA_VERSION";

  private final Path home;
  private final boolean isForOtherProcessor;
  private final Properties release = new Properties();

  JavaRuntime() throws IOException {
    this(Path.of(System.getProperty("java.home")), false);
  }

  private JavaRuntime(Path home, boolean isForOtherProcessor) throws IOException {
    this.home = home;
    this.isForOtherProcessor = isForOtherProcessor;
    try (var in = Files.newBufferedReader(home.resolve("release"))) {
      release.load(in);
    }
  }

  /**
   * Opens a JDK for another processor.
   *
   * @param home its directory
   * @param architecture OCI name of the processor
   * @throws RefusedException if this process cannot link a runtime from it
   */
  static JavaRuntime openForOtherProcessor(Path home, String architecture) throws IOException {
    JavaRuntime current = new JavaRuntime();
    if (current.architecture().equals(architecture)) {
      throw new RefusedException("the image for this machine is already for " + architecture);
    }
    if (!Files.isRegularFile(home.resolve("release"))) {
      throw new RefusedException(home + " is not a JDK: it has no file 'release'");
    }
    JavaRuntime jdk = new JavaRuntime(home, true);
    String platform = jdk.release("OS_NAME") + "/" + jdk.architecture();
    if (!platform.equals("Linux/" + architecture)) {
      throw new RefusedException(
          "%s is a JDK for %s, not for Linux/%s".formatted(home, platform, architecture));
    }
    if (!jdk.release(VERSION).equals(current.release(VERSION))) {
      throw new RefusedException(
          "%s is a JDK %s, but this build runs on %s: the versions must be equal"
              .formatted(home, jdk.release(VERSION), current.release(VERSION)));
    }
    if (!Files.isRegularFile(home.resolve(JMODS).resolve("java.base.jmod"))) {
      throw new RefusedException(
          home
              + " has no jmods, which are required to link a runtime for another processor;"
              + " if they are a separate archive, unpack it there");
    }
    return jdk;
  }

  /** Returns a value of the file {@code release}, or {@code ""}. */
  String release(String name) {
    return release.getProperty(name, "").replace("\"", "");
  }

  String architecture() {
    return switch (release("OS_ARCH")) {
      case "x86_64", "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> release("OS_ARCH");
    };
  }

  /**
   * Returns why jlink cannot link a runtime, or {@code ""} if it can. It needs jmods, or a JDK that
   * can link from its own runtime image (JEP 493).
   */
  String reasonNotLinkable() {
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
          : home + " has no jmods and cannot link from its runtime image";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Returns the modules that the programs need or may need, sorted.
   *
   * @param programs jars of the program and of its plugins
   * @param libraries their class path
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
    Set<String> modules = new TreeSet<>(REQUIRED_MODULES);
    List<String> lines =
        run("jdeps", args).lines().toList(); // jdeps prints warnings before the list
    modules.addAll(List.of(lines.getLast().split(",")));
    modules.removeAll(EXCLUDED_MODULES);
    return modules;
  }

  /**
   * Links a runtime without headers, manuals and the JDK's own CDS archive, whose classes are in
   * the archive of the program.
   *
   * @return files that contain the modules, by suffix for the package URL of the JDK
   */
  Map<String, Path> link(Set<String> modules, Path target) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--add-modules",
                String.join(",", modules),
                "--output",
                target.toString(),
                "--no-header-files",
                "--no-man-pages",
                "--vm=server"));
    if (isForOtherProcessor) {
      args.addAll(List.of("--module-path", home.resolve(JMODS).toString()));
    }
    run("jlink", args);
    try (Stream<Path> files = Files.walk(target)) { // Debian's jmods contain manuals and headers
      for (Path file : files.filter(f -> f.toString().endsWith(".debuginfo")).toList()) {
        Files.delete(file);
      }
    }
    try (Stream<Path> programs = Files.list(target.resolve("bin"))) {
      for (Path program : programs.toList()) {
        if (!program.endsWith("java")) {
          Files.delete(program);
        }
      }
    }
    return findModuleFiles(target);
  }

  private Map<String, Path> findModuleFiles(Path runtime) throws IOException {
    if (!isForOtherProcessor) {
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
