package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.PluginJarBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jars that cannot be loaded, in whole or in part: each is reported on a line, and the others run.
 */
class PluginProblemsTest extends PluginRegistryFixture {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2    | bad.jar is built for level 2 of the plugin interface; this version of Mooring supports 1: use a newer Mooring, or an older version of the plugin
          0    | bad.jar is built for level 0 of the plugin interface; this version of Mooring supports 1: use a newer version of the plugin
          one  | bad.jar has Mooring-Spi-Level: one in its manifest, which is not a number: specify 1
          """)
  void load_incompatibleLevel_isReported(String level, String line) throws Exception {
    versionedJar("bad.jar", "one").level(level).write();
    PluginJarBuilder.at(plugins().resolve("good.jar"))
        .withPlugin("com.example.Good", "example.com/good", "")
        .write();
    PluginRegistry registry = read();
    assertThat(problems(registry)).isEqualTo("plugin bad.jar: " + line);
    assertThat(registry.find("example.com/good")).isPresent();
  }

  @Test
  void load_brokenJars_areReportedAndOthersRun() throws Exception {
    PluginJarBuilder.at(plugins().resolve("a-throws.jar"))
        .withPlugin(
            "com.example.Throws",
            "example.com/throws",
            "public Throws() { throw new AssertionError(\"static state is missing\\nat all\"); }")
        .write();
    PluginJarBuilder.at(plugins().resolve("b-hangs.jar"))
        .withPlugin(
            "com.example.Hangs",
            "example.com/hangs",
            "public Hangs() { while (true) { java.util.concurrent.locks.LockSupport.park(); } }")
        .write();
    PluginJarBuilder.at(plugins().resolve("c-refuses.jar"))
        .withPlugin(
            "com.example.Refuses",
            "example.com/refuses",
            "@Override public void start(PluginContext context) { throw new IllegalArgumentException(\"size 0: name a size\", new java.io.IOException(\"unread\")); }")
        .write();
    PluginJarBuilder.at(plugins().resolve("d-never-starts.jar"))
        .withPlugin(
            "com.example.Starts",
            "example.com/starts",
            "@Override public void start(PluginContext context) { while (true) { java.util.concurrent.locks.LockSupport.park(); } }")
        .write();
    PluginJarBuilder.at(plugins().resolve("e-nameless.jar"))
        .withPlugin(
            "com.example.Nameless",
            """
            package com.example;
            public final class Nameless implements dev.mooring.spi.VolumePlugin {
              @Override public String name() { return null; }
              @Override public boolean supports(dev.mooring.model.VolumeSource source) { return true; }
            }
            """)
        .write();
    versionedJar("f-good.jar", "good").write();
    PluginRegistry registry = read(null, Duration.ofMillis(500));
    assertThat(registry.problems().stream().map(PluginProblem::toString))
        .containsExactly(
            "plugin a-throws.jar: cannot be loaded (AssertionError: static state is missing): check that it is built for this version of Mooring and has its libraries beside it",
            "plugin b-hangs.jar: its constructor or name() does not return (plugin b-hangs.jar did not answer about its construction for 0.5 s): do slow work in start()",
            "plugin c-refuses.jar: start failed (size 0: name a size)",
            "plugin d-never-starts.jar: start failed (plugin example.com/starts did not answer about its start for 0.5 s)",
            "plugin e-nameless.jar: cannot be loaded (NullPointerException: the plugin has no name): check that it is built for this version of Mooring and has its libraries beside it");
    assertThat(answerOfDelete(registry)).isEqualTo("good");
  }

  @Test
  void scan_allowList_loadsListedJarsOnly() throws Exception {
    Path jar = versionedJar("disks.jar", "one").write();
    Path list = Files.writeString(folder.resolve("allowed"), "# none yet\n");
    PluginRegistry registry = read(AllowList.of(list), Duration.ofSeconds(10));
    String sum =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks.jar: the sha256 of disks.jar, "
                + sum
                + ", is not listed in "
                + list
                + " (--plugin-allow): check the origin of the jar, then add it");
    assertThat(registry.find(NAME)).isEmpty();

    Files.writeString(list, sum.toUpperCase(java.util.Locale.ROOT) + "  disks.jar\n");
    assertThat(registry.scan()).containsExactly(NAME);
    assertThat(answerOfDelete(registry)).isEqualTo("one");

    versionedJar("disks.jar", "changed").write();
    assertThat(scanTwice(registry)).isEmpty();
    assertThat(answerOfDelete(registry)).as("the allowed plugin keeps running").isEqualTo("one");
  }

  @Test
  void allowList_invalidFile_throwsWithItsName() throws Exception {
    Path list = Files.writeString(folder.resolve("allowed"), "\ndisks.jar\n");
    assertThatThrownBy(() -> AllowList.of(list))
        .hasMessageContaining("line 2: \"disks.jar\" does not begin with a sha256");
    assertThatThrownBy(() -> AllowList.of(folder.resolve("none")))
        .hasMessageContaining("--plugin-allow " + folder.resolve("none") + " cannot be read");
  }

  /** Kubernetes mounts ConfigMaps like this: the files are links into a hidden directory. */
  @Test
  void load_hiddenFoldersAndBrokenLinks_doNotAffectOthers() throws Exception {
    Path hidden = Files.createDirectories(plugins().resolve("..2026"));
    Path jar = versionedJar("..2026/disks.jar", "one").write();
    Files.createSymbolicLink(plugins().resolve("..data"), hidden);
    Files.createSymbolicLink(plugins().resolve("disks.jar"), jar);
    Files.createSymbolicLink(plugins().resolve("gone.jar"), hidden.resolve("nowhere.jar"));
    PluginRegistry registry = read();
    assertThat(problems(registry))
        .startsWith("plugin gone.jar: not a readable jar (NoSuchFileException: ");
    assertThat(registry.problems()).hasSize(1);
    assertThat(answerOfDelete(registry)).isEqualTo("one");
  }

  @Test
  void load_foldersWithoutReadableJars_doNotAffectOthers() throws Exception {
    versionedJar("disks.jar", "one").write();
    Files.createDirectories(plugins().resolve("lost+found"));
    Files.createDirectories(plugins().resolve("empty"));
    Path locked = Files.createDirectories(plugins().resolve("locked"));
    Files.setPosixFilePermissions(locked, Set.of()); // root may read it, and finds no jar
    PluginRegistry registry = read();
    assertThat(registry.problems().stream().map(PluginProblem::toString))
        .containsExactly(
            "plugin empty: the folder has no jar, or is not readable: add the plugin's jars, or remove the folder",
            "plugin locked: the folder has no jar, or is not readable: add the plugin's jars, or remove the folder");
    assertThat(answerOfDelete(registry)).isEqualTo("one");
  }
}
