package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JVM derives the encoding of file names from the locale, so each case runs in its own process.
 */
class LocaleTest {
  private static final String NAME = "donn\u00e9es-\u65e5\u672c";

  @TempDir private Path folder;

  /** Creates and removes a directory with a non-ASCII name. */
  static final class NonAsciiDirectory {
    private NonAsciiDirectory() {}

    static void main(String[] args) throws Exception {
      DirectoryTree tree = DirectoryTree.at(Path.of(args[0]));
      RelativePath path = RelativePath.of(NAME);
      try {
        switch (args[1]) {
          case "make" -> tree.make(path, DirectoryTree.Access.of("rwxr-xr-x"), "v");
          default -> tree.remove(path);
        }
        System.out.println("done");
      } catch (InvalidPathException e) {
        System.out.println(e.getReason());
      }
    }
  }

  private String run(String locale, String action) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            String.join(":", classPath(DirectoryTree.class), classPath(LocaleTest.class)),
            NonAsciiDirectory.class.getName(),
            folder.toString(),
            action);
    builder.environment().keySet().removeAll(List.of("LANG", "LC_ALL", "LC_CTYPE"));
    builder.environment().put("LC_ALL", locale);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip();
  }

  private static String classPath(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  @Test
  void nonAsciiName_withoutLocale_isRejectedWithRemedy() throws Exception {
    for (String action : List.of("make", "remove")) {
      assertThat(run("POSIX", action))
          .startsWith("the process's file name encoding, ANSI_X3.4-1968, cannot represent it")
          .contains("LC_ALL=C.UTF-8");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void nonAsciiName_utf8Locale_isCreatedAndRemoved() throws Exception {
    assertThat(run("C.UTF-8", "make")).isEqualTo("done");
    assertThat(folder).isNotEmptyDirectory();
    assertThat(run("C.UTF-8", "remove")).isEqualTo("done");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void launcher_withoutLocale_setsUtf8() throws Exception {
    List<String> launcher = Files.readAllLines(Path.of("../mooring"));
    String line =
        launcher.stream().filter(l -> l.contains("locale charmap")).findFirst().orElse("");
    for (String locale : List.of("POSIX", "C", "", "xx_XX.UTF-8")) {
      ProcessBuilder builder =
          new ProcessBuilder(
              "bash", "-euo", "pipefail", "-c", line + "\nexec printf %s \"${LC_ALL:-}\"");
      builder.environment().keySet().removeAll(List.of("LANG", "LC_ALL", "LC_CTYPE"));
      builder.environment().put("LC_ALL", locale);
      Process process = builder.start();
      process.getOutputStream().close();
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .as(locale)
          .isEqualTo("C.UTF-8");
    }
  }
}
