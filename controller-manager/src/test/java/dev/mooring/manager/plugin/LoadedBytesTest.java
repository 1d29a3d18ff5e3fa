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

  private PluginJarBuilder otherJar(Path jar) {
    return PluginJarBuilder.at(jar)
        .with(
            "com.example.Other",
            "package com.example; public final class Other { public static String text() { return \"other\"; } }");
  }

  private AllowList allowListOf(Path... jars) throws Exception {
    StringBuilder sums = new StringBuilder();
    for (Path jar : jars) {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
      sums.append(HexFormat.of().formatHex(sum)).append("  ").append(jar).append('\n');
    }
    return AllowList.of(Files.writeString(folder.resolve("allowed"), sums));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "disks.jar %s", "../other.jar", "other.jar", "lib/", "./disks.jar"})
  void load_classPathNamesOtherJars_isRefused(String classPath) throws Exception {
    Path otherJar = otherJar(folder.resolve("other.jar")).write();
    Path jar =
        PluginJarBuilder.at(plugins().resolve("disks.jar"))
            .compiledWith(otherJar)
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .manifest("Class-Path", classPath.replace("%s", otherJar.toUri().toString()))
            .write();
    PluginRegistry registry = read(allowListOf(jar), Duration.ofSeconds(10));
    assertThat(registry.find(NAME)).isEmpty();
    assertThat(problems(registry))
        .startsWith("plugin disks.jar: disks.jar names \"")
        .contains("in Class-Path of its manifest", "put all jars of the plugin into one folder");
  }

  @Test
  void load_classPathNamesJarsOfSameFolder_isAccepted() throws Exception {
    Path pluginFolder = Files.createDirectory(plugins().resolve("disks"));
    Path library = otherJar(pluginFolder.resolve("other.jar")).write();
    Path jar =
        PluginJarBuilder.at(pluginFolder.resolve("disks.jar"))
            .compiledWith(library)
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .manifest("Class-Path", "other.jar")
            .write();
    PluginRegistry registry = read(allowListOf(library, jar), Duration.ofSeconds(10));
    assertThat(problems(registry)).isEmpty();
    assertThat(answerOfDelete(registry)).isEqualTo("other");
  }

  @Test
  void load_jarOverwrittenAfterCheck_runsCheckedBytes() throws Exception {
    Path jar =
        otherJar(plugins().resolve("disks.jar"))
            .withPlugin("com.example.Disks", NAME, CALLS_OTHER)
            .write();
    registry =
        PluginRegistry.read(
            new PluginRegistry.Config(
                plugins(), Map.of(), Duration.ofSeconds(10), allowListOf(jar), false));
    Files.write(jar, new byte[20_000]);
    assertThat(answerOfDelete(registry)).isEqualTo("other");
  }

  @Test
  void load_jarCannotBeCopied_isRefusedWithAllowList() throws Exception {
    Path jar = versionedJar("disks.jar", "one").write();
    PluginJar source = PluginJar.scan(plugins()).get("disks.jar");
    JarStaging staging = new JarStaging(folder.resolve("none"));
    assertThatThrownBy(() -> LoadedJarFiles.of(source, staging, allowListOf(jar)))
        .isInstanceOf(LoadedJar.UnusableJarException.class)
        .hasMessageContaining("--plugin-allow")
        .hasMessageContaining("java.io.tmpdir");
    assertThat(LoadedJarFiles.of(source, staging, null).jars()).isEqualTo(List.of(jar));
  }
}
