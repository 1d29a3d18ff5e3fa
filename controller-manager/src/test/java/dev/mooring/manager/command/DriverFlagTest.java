package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.csi.CsiConfig;
import dev.mooring.manager.lifecycle.ManagerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DriverFlagTest {
  @TempDir private Path folder;

  private static Map<String, ManagerConfig.Driver> drivers(String... flags) throws UsageException {
    RunOptions options = new RunOptions();
    List<String> all = new ArrayList<>(List.of(flags));
    FlagTypes.commandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
        .parseArgs(all.toArray(String[]::new));
    return options.config().csi().drivers();
  }

  private static CsiConfig config(Map<String, ManagerConfig.Driver> drivers, String name) {
    return Objects.requireNonNull(drivers.get(name)).config();
  }

  @Test
  void settings_ofOneDriver_applyToThatDriverOnly() throws UsageException {
    Map<String, ManagerConfig.Driver> drivers =
        drivers(
            "--csi-timeout=30s",
            "--default-fstype=ext4",
            "--csi-endpoint=a=unix:///run/a,timeout=2m,workers=7,strict-topology=true,reconcile-sync=3m,max-entries=50",
            "--csi-endpoint=b=unix:///run/b,default-fstype=xfs,extra-create-metadata=true",
            "--csi-endpoint=c=unix:///run/c");
    assertThat(drivers.get("a").endpoint()).isEqualTo("unix:///run/a");
    CsiConfig a = config(drivers, "a");
    assertThat(a.calls().timeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(a.calls().workers()).isEqualTo(7);
    assertThat(a.listing())
        .isEqualTo(
            new CsiConfig.Listing(
                Duration.ofMinutes(3), 50, Duration.ofMinutes(5), false, Duration.ZERO));
    assertThat(a.options().topology().strict()).isTrue();
    assertThat(a.options().defaultFsType()).isEqualTo("ext4");
    CsiConfig b = config(drivers, "b");
    assertThat(b.calls().timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(b.calls().workers()).isEqualTo(100);
    assertThat(b.options().defaultFsType()).isEqualTo("xfs");
    assertThat(b.options().extraMetadata()).isTrue();
    assertThat(b.options().topology().strict()).isFalse();
    assertThat(config(drivers, "c").options().extraMetadata()).isFalse();
  }

  @Test
  void settings_fromFile_equalInlineSettings() throws IOException, UsageException {
    Path file =
        Files.writeString(
            folder.resolve("a.yaml"),
            """
            # from the chart
            endpoint: unix:///run/a
            timeout: 2m
            workers: 7
            default-fstype: xfs
            enable-capacity: true
            capacity-namespace: storage
            capacity-ownerref-level: -1
            """);
    Map<String, ManagerConfig.Driver> drivers = drivers("--csi-endpoint=a=@" + file);
    assertThat(drivers)
        .isEqualTo(
            drivers(
                "--csi-endpoint=a=unix:///run/a,timeout=2m,workers=7,default-fstype=xfs,enable-capacity=true,capacity-namespace=storage,capacity-ownerref-level=-1"));
    assertThat(config(drivers, "a").capacity().orElseThrow().namespace()).isEqualTo("storage");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=unix:///a,timeuot=1s          | --csi-endpoint a: unknown setting \"timeuot\"; known settings: capacity-for-immediate-binding,",
        "a=unix:///a,timeout             | --csi-endpoint a: \"timeout\" is not of the form SETTING=VALUE",
        "a=unix:///a,timeout=1s,timeout=2s | --csi-endpoint a: \"timeout\" is set twice",
        "a=unix:///a,timeout=soon        | --csi-endpoint a: Invalid value for option '--csi-timeout'",
        "a=unix:///a,endpoint=unix:///b  | --csi-endpoint a: \"endpoint\" is set twice",
        "a=,timeout=1s                   | --csi-endpoint a: the endpoint is missing",
        "a                               | --csi-endpoint a must contain a driver and its endpoint",
        "a=@/nowhere.yaml                | --csi-endpoint a: /nowhere.yaml cannot be read",
      })
  void all_invalidFlag_throwsOneLine(String flag, String problem) {
    assertThatThrownBy(() -> drivers("--csi-endpoint=" + flag))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(problem)
        .message()
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeout: 1s                       | the endpoint is missing",
        "'endpoint: unix:///a\ntimeout: {}' | \"timeout\" in",
        "- x                               | contains no settings",
        "'endpoint: unix:///a\nx: y'       | unknown setting \"x\"",
        "'endpoint: unix:///a\nendpoint: b' | is not valid YAML",
        "'{'                               | is not valid YAML",
      })
  void all_invalidFile_throwsOneLine(String content, String problem) throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), content);
    assertThatThrownBy(() -> drivers("--csi-endpoint=a=@" + file))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--csi-endpoint a: ")
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void all_duplicateDriver_throws() {
    assertThatThrownBy(() -> drivers("--csi-endpoint=a=unix:///a", "--csi-endpoint=a=unix:///b"))
        .hasMessageContaining("twice");
  }
}
