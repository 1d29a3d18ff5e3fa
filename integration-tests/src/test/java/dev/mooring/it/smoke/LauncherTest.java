package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests errors and help of the launcher itself, before it builds or runs anything. */
class LauncherTest {
  private record CommandResult(int code, String text) {}

  private static final Path LAUNCHER =
      Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath().resolve("mooring");

  @TempDir private Path folder;

  private static CommandResult runLauncher(String... arguments) throws Exception {
    return runLauncher(LAUNCHER, arguments);
  }

  private static CommandResult runLauncher(Path launcher, String... arguments) throws Exception {
    ProcessBuilder process = new ProcessBuilder("bash", launcher.toString());
    process.command().addAll(List.of(arguments));
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process started = process.redirectErrorStream(true).start();
    started.getOutputStream().close();
    String text = new String(started.getInputStream().readAllBytes());
    return new CommandResult(started.waitFor(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--bogus", "--aot-cache=", "--builder", "everything"})
  void dist_unknownOption_failsBeforeBuild(String option) throws Exception {
    assertThat(runLauncher("dist", option))
        .isEqualTo(
            new CommandResult(
                2,
                "mooring: dist: unknown option '" + option + "'; see './mooring dist --help'\n"));
  }

  /** A late error would cost minutes of building. */
  @ParameterizedTest
  @CsvSource({
    "--jdk-arm64=., '', require each other",
    "--root-arm64=., '', require each other",
    "--jdk-arm64=/none/such, --root-arm64=., /none/such is not a directory",
    "--jdk-arm64=., --root-arm64=/none/such, /none/such is not a directory"
  })
  void dist_conflictingOptions_failBeforeBuild(
      String firstOption, String secondOption, String problem) throws Exception {
    CommandResult result =
        secondOption.isEmpty()
            ? runLauncher("dist", firstOption)
            : runLauncher("dist", firstOption, secondOption);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.text()).startsWith("mooring: dist").contains(problem).hasLineCount(1);
    assertThat(runLauncher("dist", "--no-image", "--jdk-arm64=.", "--root-arm64=.").text())
        .contains("omit one of them");
  }

  /** Compiles one class and writes a jar with it. */
  private void writeJar(String path, String name, String sourceText, Manifest manifest)
      throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path source = Files.writeString(classes.resolve(name + ".java"), sourceText);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", folder.toString(), "-d", folder.toString(), source + "");
    assertThat(code).isZero();
    Path jar = folder.resolve(path);
    Files.createDirectories(jar.getParent());
    Files.deleteIfExists(jar);
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new ZipEntry(name + ".class"));
      Files.copy(folder.resolve(name + ".class"), out);
    }
    Files.setLastModifiedTime(jar, FileTime.from(Instant.EPOCH)); // as in reproducible archives
  }

  private void writeLibrary(String word) throws IOException {
    writeJar(
        "app/lib/library.jar",
        "Library",
        "public class Library { static String word() { return \"" + word + "\"; } }",
        new Manifest());
  }

  /** The JVM checks only the first jar of the class path, so the launcher must check the others. */
  @Test
  void classCache_changedLibrary_isNotUsed() throws Exception {
    Path launcher = Files.copy(LAUNCHER, folder.resolve("mooring"));
    writeLibrary("one");
    Manifest mainManifest = new Manifest();
    mainManifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
    mainManifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/library.jar");
    writeJar(
        "app/mooring-controller-manager.jar",
        "Main",
        "public class Main { public static void main(String[] a) { System.out.print(Library.word()); } }",
        mainManifest);
    assertThat(runLauncher(launcher, "say").text()).endsWith("one");
    assertThat(folder.resolve("app/mooring.aot")).exists();
    assertThat(runLauncher(launcher, "say").text()).as("archive is not rebuilt").isEqualTo("one");
    writeLibrary("two");
    assertThat(runLauncher(launcher, "say").text()).endsWith("two");
  }

  private void writeProgram(String mainClass) throws IOException {
    Files.copy(LAUNCHER, folder.resolve("mooring"));
    Files.createDirectories(folder.resolve("app/lib"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
    writeJar("app/mooring-controller-manager.jar", "Main", mainClass, manifest);
  }

  @Test
  void launcher_symbolicLinks_findsProgram() throws Exception {
    writeProgram(
        "public class Main { public static void main(String[] a) { System.out.print(\"ran \" + a[0]); } }");
    Path bin = Files.createDirectories(folder.resolve("some where/bin"));
    Files.createSymbolicLink(bin.resolve("absolute"), folder.resolve("mooring"));
    Files.createSymbolicLink(bin.resolve("relative"), Path.of("../../mooring"));
    Files.createSymbolicLink(bin.resolve("twice"), Path.of("relative"));
    for (String name : List.of("absolute", "relative", "twice")) {
      assertThat(runLauncher(bin.resolve(name), "say").text()).as(name).endsWith("ran say");
    }
  }

  @Test
  void launcher_pluginOfKubectl_namesItsCommand() throws Exception {
    writeProgram(
        "public class Main { public static void main(String[] a) { System.out.print(System.getProperty(\"mooring.command\")); } }");
    Path link = folder.resolve("kubectl-mooring");
    Files.createSymbolicLink(link, folder.resolve("mooring"));
    assertThat(runLauncher(link, "help").text()).endsWith("kubectl mooring");
    assertThat(runLauncher(folder.resolve("mooring"), "help").text()).endsWith("null");
  }

  @Test
  void help_launcherCommands_needNoBuild() throws Exception {
    for (String command : new String[] {"dist", "test", "bench"}) {
      CommandResult help = runLauncher(command, "--help");
      assertThat(help.code()).isZero();
      assertThat(help.text()).startsWith("Usage: mooring " + command);
    }
  }
}
