package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

class ConfigFileTest {
  @Command(subcommands = {RunCommand.class, RightsCommand.class, VersionCommand.class})
  private static final class All {}

  @TempDir private Path folder;

  private List<String> expanded(String yaml, String... args) throws Exception {
    Path file = Files.writeString(folder.resolve("config.yaml"), yaml);
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--config=" + file);
    List<String> flags =
        new ArrayList<>(
            List.of(
                ConfigFile.expandArguments(
                    FlagTypes.commandLine(new All()), all.toArray(String[]::new))));
    flags.remove("--config=" + file);
    return flags;
  }

  @Test
  void expanded_file_equalsCommandLineFlags() throws Exception {
    assertThat(
            expanded(
                """
                mode: beside
                kube-api-qps: 50
                leader-elect: false
                pvclaimbinder-sync-period: 10s
                embedded: true
                controllers: ["*", -provisioner]
                csi-endpoint:
                  - a=unix:///a
                  - b=unix:///b
                """,
                "run"))
        .containsExactly(
            "run",
            "--mode=beside",
            "--kube-api-qps=50",
            "--leader-elect=false",
            "--pvclaimbinder-sync-period=10s",
            "--embedded",
            "--controllers=*",
            "--controllers=-provisioner",
            "--csi-endpoint=a=unix:///a",
            "--csi-endpoint=b=unix:///b");
  }

  @Test
  void expanded_flagOnCommandLine_replacesFile() throws Exception {
    assertThat(
            expanded(
                "mode: beside\ncsi-endpoint: [a=unix:///a]\nv: 3\n",
                "run",
                "--mode",
                "replace",
                "--csi-endpoint=b=unix:///b"))
        .containsExactly("run", "--v=3", "--mode", "replace", "--csi-endpoint=b=unix:///b");
  }

  @Test
  void expanded_fileOfRun_isValidForRights() throws Exception {
    assertThat(expanded("mode: beside\nembedded: true\n", "rights"))
        .containsExactly("rights", "--mode=beside");
  }

  @Test
  void expanded_emptyFile_addsNothing() throws Exception {
    assertThat(expanded("# nothing\n", "run")).containsExactly("run");
  }

  @Test
  void expanded_commandWithoutConfig_isUnchanged() throws Exception {
    String[] args = {"version", "--config=x"};
    assertThat(ConfigFile.expandArguments(FlagTypes.commandLine(new All()), args)).isSameAs(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "controlers: x         | unknown flag \"controlers\": did you mean \"controllers\"?",
        "--mode: beside        | unknown flag \"--mode\": omit the dashes in the file",
        "xyz: 1                | unknown flag \"xyz\"",
        "config: other.yaml    | unknown flag \"config\"",
        "help: true            | unknown flag \"help\"",
        "mode:                 | \"mode\" has no value",
        "mode: [beside]        | \"mode\" takes a single value",
        "embedded: perhaps     | \"embedded\" must be true or false",
        "- mode                | is not a map of flags",
        "'{mode: a, mode: b}'  | is not valid YAML (line 1: found duplicate key mode): correct the file",
        "'{'                   | is not valid YAML",
        "mode: !!int x         | is not valid YAML",
        "plugin-setting: {a: b} | \"plugin-setting\" takes a list of texts",
        "plugin-setting: [a: b] | \"plugin-setting\" takes a list of texts",
      })
  void expanded_invalidFile_namesProblem(String yaml, String problem) {
    assertThatThrownBy(() -> expanded(yaml, "run"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(folder.resolve("config.yaml").toString())
        .hasMessageContaining(problem);
  }

  @Test
  void expanded_binaryFile_namesEncoding() throws IOException {
    Path file = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 'a'});
    assertThatThrownBy(() ->
            ConfigFile.expandArguments(
                FlagTypes.commandLine(new All()),
                new String[] {"run", "--config", file.toString()}))
        .hasMessageEndingWith("binary cannot be read (not UTF-8 text): specify a file");
  }

  @Test
  void expanded_missingFile_isNamed() throws IOException {
    assertThatThrownBy(() ->
            ConfigFile.expandArguments(
                FlagTypes.commandLine(new All()),
                new String[] {"run", "--config", folder.resolve("none").toString()}))
        .hasMessageContaining("none cannot be read");
  }
}
