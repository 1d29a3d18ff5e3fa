package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the helper as a process with only the plugin's classes, as in its pod. */
class HelperMainTest {
  @TempDir private Path folder;

  private record Run(int code, String output) {}

  private static Path code() throws URISyntaxException {
    return Path.of(HelperMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private Run run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx24m",
                "-cp",
                code().toString(),
                HelperMain.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  @Test
  void main_makeAndRemove_handlesOneDirectory() throws Exception {
    assertThat(run("make", folder.toString(), "ns/c/$(x); touch y", "pvc-1"))
        .isEqualTo(new Run(0, ""));
    Path directory = folder.resolve("ns/c/$(x); touch y");
    Files.writeString(directory.resolve("data"), "x");
    assertThat(run("remove", folder.toString(), "ns/c/$(x); touch y", "pvc-1"))
        .isEqualTo(new Run(0, ""));
    assertThat(folder.resolve("ns/c")).isEmptyDirectory();
  }

  @Test
  void main_remove_acceptsEarlierNaming() throws Exception {
    Files.createDirectories(folder.resolve("ns/c/.mooring/x"));
    assertThat(run("make", folder.toString(), "ns/d/.mooring", "pvc-1").code())
        .isEqualTo(HelperMain.EXIT_REJECTED);
    assertThat(run("remove", folder.toString(), "ns/c/.mooring", "pvc-1"))
        .isEqualTo(new Run(0, ""));
    assertThat(folder.resolve("ns/c")).isEmptyDirectory();
  }

  @Test
  void main_permanentError_exitsWithTwo() throws Exception {
    Files.createSymbolicLink(folder.resolve("ns"), folder);
    Run link = run("remove", folder.toString(), "ns/c", "pvc-1");
    assertThat(link.code()).isEqualTo(HelperMain.EXIT_REJECTED);
    assertThat(link.output()).contains("is no directory");
    Run out = run("remove", folder.toString(), "../c", "pvc-1");
    assertThat(out.code()).isEqualTo(HelperMain.EXIT_REJECTED);
    assertThat(out.output()).contains("has the element \"..\"");
    assertThat(run("empty", folder.toString(), "c", "pvc-1").code())
        .isEqualTo(HelperMain.EXIT_REJECTED);
    assertThat(run("make").code()).isEqualTo(HelperMain.EXIT_REJECTED);
  }

  @Test
  void main_temporaryError_exitsWithOne() throws Exception {
    Run none = run("make", folder.resolve("none").toString(), "c", "pvc-1");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.output()).contains("none");
  }
}
