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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests errors and help of the launcher itself, before it builds or runs anything. */
@Timeout(300)
class LauncherTest {
  private record Answer(int code, String text) {}

  private static final Path LAUNCHER =
      Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath().resolve("mooring");

  @TempDir private Path folder;

  private static Answer asked(String... arguments) throws Exception {
    return asked(LAUNCHER, arguments);
  }

  private static Answer asked(Path launcher, String... arguments) throws Exception {
    ProcessBuilder process = new ProcessBuilder("bash", launcher.toString());
    process.command().addAll(List.of(arguments));
    process.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process running = process.redirectErrorStream(true).start();
    running.getOutputStream().close();
    String text = new String(running.getInputStream().readAllBytes());
    return new Answer(running.waitFor(), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--bogus", "--aot-cache=", "--builder", "everything"})
  void dist_unknownOption_failsBeforeBuild(String option) throws Exception {
    assertThat(asked("dist", option))
        .isEqualTo(
            new Answer(
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
  void dist_conflictingOptions_failBeforeBuild(String one, String two, String why)
      throws Exception {
    Answer answer = two.isEmpty() ? asked("dist", one) : asked("dist", one, two);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.text()).startsWith("mooring: dist").contains(why).hasLineCount(1);
    assertThat(asked("dist", "--no-image", "--jdk-arm64=.", "--root-arm64=.").text())
        .contains("omit one of them");
  }

  /** Builds a jar with one class, compiled from the text. */
  private void jar(String path, String name, String text, Manifest manifest) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path source = Files.writeString(classes.resolve(name + ".java"), text);
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

  private void library(String word) throws IOException {
    jar(
        "app/lib/library.jar",
        "Library",
        "public class Library { static String word() { return \"" + word + "\"; } }",
        new Manifest());
  }

  /** The JVM does not notice this itself: it only checks the first jar of the class path. */
  @Test
  void classCache_changedLibrary_isNotUsed() throws Exception {
    Path launcher = Files.copy(LAUNCHER, folder.resolve("mooring"));
    library("one");
    Manifest main = new Manifest();
    main.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
    main.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/library.jar");
    jar(
        "app/mooring-controller-manager.jar",
        "Main",
        "public class Main { public static void main(String[] a) { System.out.print(Library.word()); } }",
        main);
    assertThat(asked(launcher, "say").text()).endsWith("one");
    assertThat(folder.resolve("app/mooring.aot")).exists();
    assertThat(asked(launcher, "say").text()).as("archive is not rebuilt").isEqualTo("one");
    library("two");
    assertThat(asked(launcher, "say").text()).endsWith("two");
  }

  private void program(String main) throws IOException {
    Files.copy(LAUNCHER, folder.resolve("mooring"));
    Files.createDirectories(folder.resolve("app/lib"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
    jar("app/mooring-controller-manager.jar", "Main", main, manifest);
  }

  @Test
  void launcher_symbolicLinks_findsProgram() throws Exception {
    program(
        "public class Main { public static void main(String[] a) { System.out.print(\"ran \" + a[0]); } }");
    Path bin = Files.createDirectories(folder.resolve("some where/bin"));
    Files.createSymbolicLink(bin.resolve("absolute"), folder.resolve("mooring"));
    Files.createSymbolicLink(bin.resolve("relative"), Path.of("../../mooring"));
    Files.createSymbolicLink(bin.resolve("twice"), Path.of("relative"));
    for (String name : List.of("absolute", "relative", "twice")) {
      assertThat(asked(bin.resolve(name), "say").text()).as(name).endsWith("ran say");
    }
  }

  @Test
  void launcher_pluginOfKubectl_namesItsCommand() throws Exception {
    program(
        "public class Main { public static void main(String[] a) { System.out.print(System.getProperty(\"mooring.command\")); } }");
    Path link = folder.resolve("kubectl-mooring");
    Files.createSymbolicLink(link, folder.resolve("mooring"));
    assertThat(asked(link, "help").text()).endsWith("kubectl mooring");
    assertThat(asked(folder.resolve("mooring"), "help").text()).endsWith("null");
  }

  @Test
  void help_launcherCommands_needNoBuild() throws Exception {
    for (String command : new String[] {"dist", "test", "bench"}) {
      Answer help = asked(command, "--help");
      assertThat(help.code()).isZero();
      assertThat(help.text()).startsWith("Usage: mooring " + command);
    }
  }
}
