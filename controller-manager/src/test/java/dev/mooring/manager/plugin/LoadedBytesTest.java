package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.PluginJarBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the bytes that were checked are loaded. */
class LoadedBytesTest extends PluginRegistryFixture {
  private static final String CALLS_OTHER =
      """
      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> Attempt.rejected(Other.text()));
      }
      """;

  private PluginJarBuilder other(Path jar) {
    return PluginJarBuilder.at(jar)
        .with(
            "com.example.Other",
            "package com.example; public final class Other { public static String text() { return \"other\"; } }");
  }

  private AllowList allowing(Path... jars) throws Exception {
    StringBuilder sums = new StringBuilder();
    for (Path jar : jars) {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      sums.append(HexFormat.of().formatHex(sum)).append("  ").append(jar).append('\n');
    }
    return AllowList.of(Files.writeString(folder.resolve("allowed"), sums));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "disks.jar %s", "../other.jar", "other.jar", "lib/", "./disks.jar"})
  void manifest_thatNamesOtherJars_isRefused(String classPath) throws Exception {
    Path outside = other(folder.resolve("other.jar")).write();
    Path jar =
        PluginJarBuilder.at(plugins().resolve("disks.jar"))
            .compiledWith(outside)
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .manifest("Class-Path", classPath.replace("%s", outside.toUri().toString()))
            .write();
    PluginRegistry registry = read(allowing(jar), Duration.ofSeconds(10));
    assertThat(registry.named(NAME)).isEmpty();
    assertThat(problems(registry))
        .startsWith("plugin disks.jar: disks.jar names \"")
        .contains("in Class-Path of its manifest", "put all jars of the plugin into one folder");
  }

  @Test
  void manifest_thatNamesJarsOfTheSameFolder_isAccepted() throws Exception {
    Path together = Files.createDirectory(plugins().resolve("disks"));
    Path library = other(together.resolve("other.jar")).write();
    Path jar =
        PluginJarBuilder.at(together.resolve("disks.jar"))
            .compiledWith(library)
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .manifest("Class-Path", "other.jar")
            .write();
    PluginRegistry registry = read(allowing(library, jar), Duration.ofSeconds(10));
    assertThat(problems(registry)).isEmpty();
    assertThat(said(registry)).isEqualTo("other");
  }

  @Test
  void jar_thatIsOverwrittenAfterItsSum_runsAsItWas() throws Exception {
    Path jar =
        other(plugins().resolve("disks.jar"))
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .write();
    registry =
        PluginRegistry.read(
            new PluginRegistry.Config(
                plugins(), Map.of(), Duration.ofSeconds(10), allowing(jar), false));
    Files.write(jar, new byte[20_000]);
    assertThat(said(registry)).isEqualTo("other");
  }

  @Test
  void jar_thatCannotBeCopied_isRefusedIfAListAllowsJars() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    PluginJar source = PluginJar.in(plugins()).get("disks.jar");
    JarStaging nowhere = new JarStaging(folder.resolve("none"));
    assertThatThrownBy(() -> LoadedJarFiles.of(source, nowhere, allowing(jar)))
        .isInstanceOf(LoadedJar.UnusableJarException.class)
        .hasMessageContaining("--plugin-allow")
        .hasMessageContaining("java.io.tmpdir");
    assertThat(LoadedJarFiles.of(source, nowhere, null).jars()).isEqualTo(List.of(jar));
  }
}
