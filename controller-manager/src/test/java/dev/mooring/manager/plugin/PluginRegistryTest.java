package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.PluginJarBuilder;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PluginRegistryTest extends PluginRegistryFixture {
  private List<String> readDiary() throws IOException {
    return Files.readAllLines(folder.resolve("diary"));
  }

  private static void await(BooleanSupplier condition) {
    TestWait.until("the expected state", condition::getAsBoolean);
  }

  @Test
  void scan_addedReplacedAndRemovedJar_isApplied() throws Exception {
    PluginRegistry registry = read();
    List<Set<String>> notifications = new ArrayList<>();
    registry.onChange(notifications::add);
    assertThat(registry.scan()).isEmpty();

    Path jar = versionedJar("disks.jar", "one").write();
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(answerOfDelete(registry)).isEqualTo("one");

    versionedJar("disks.jar", "two").write();
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(answerOfDelete(registry)).isEqualTo("two");

    Files.delete(jar);
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(registry.find(NAME)).isEmpty();
    assertThat(registry.loaded()).isEmpty();
    assertThat(notifications).containsExactly(Set.of(NAME), Set.of(NAME), Set.of(NAME));
    assertThat(readDiary())
        .containsExactly(
            "start one",
            "begin one",
            "end one",
            "stop one",
            "start two",
            "begin two",
            "end two",
            "stop two");
    assertThat(registry.scan()).isEmpty();
  }

  @Test
  void scan_renamedJar_replacesOldJar() throws Exception {
    Path oldJar = versionedJar("disks-1.jar", "one").write();
    PluginRegistry registry = read();
    versionedJar("disks-2.jar", "two").write();
    assertThat(scanTwice(registry)).isEmpty();
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks-2.jar: its name \"example.com/disks\" is used by disks-1.jar: remove one of the two");
    assertThat(answerOfDelete(registry)).isEqualTo("one");
    Files.delete(oldJar);
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(answerOfDelete(registry)).isEqualTo("two");
  }

  @Test
  void scan_runningCall_endsBeforeUnload() throws Exception {
    versionedJar("disks.jar", "one").write();
    PluginRegistry registry = read();
    Deleter deleter = registry.find(NAME).orElseThrow().deleter().orElseThrow();
    AtomicReference<@Nullable Attempt<Deleted>> answer = new AtomicReference<>();
    Thread caller = Thread.startVirtualThread(() -> answer.set(delete(deleter, "slow", "300")));
    await(() -> {
      try {
        return readDiary().contains("begin one");
      } catch (IOException e) {
        return false;
      }
    });
    versionedJar("disks.jar", "two").write();
    assertThat(scanTwice(registry)).containsExactly(NAME);
    caller.join();
    assertThat(answer.get()).isEqualTo(Attempt.rejected("one"));
    assertThat(readDiary())
        .containsExactly("start one", "begin one", "end one", "stop one", "start two");
  }

  @Test
  void load_jarOverwritten_classesRemainLoadable() throws Exception {
    PluginJarBuilder.at(plugins().resolve("lazy.jar"))
        .withPlugin(
            "com.example.Lazy",
            NAME,
            """
            @Override
            public Optional<Deleter> deleter() {
              return Optional.of(request -> Attempt.rejected(Later.text()));
            }
            """)
        .with(
            "com.example.Later",
            "package com.example; final class Later { static String text() { return \"later\"; } }")
        .write();
    PluginRegistry registry = read();
    Files.write(plugins().resolve("lazy.jar"), new byte[20_000]);
    assertThat(answerOfDelete(registry)).isEqualTo("later");
  }

  @Test
  void scan_replacementRejectsStart_keepsPreviousVersion() throws Exception {
    versionedJar("disks.jar", "one").write();
    PluginRegistry registry = read();
    PluginJarBuilder.at(plugins().resolve("disks.jar"))
        .withPlugin(
            "com.example.Disks",
            NAME,
            """
            @Override
            public void start(PluginContext context) {
              throw new IllegalArgumentException("size \\"x\\" is no size: name one");
            }
            """)
        .write();
    scanTwice(registry);
    assertThat(answerOfDelete(registry)).isEqualTo("one");
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks.jar: start failed (size \"x\" is no size: name one); the previous version keeps running");
    assertThat(registry.loaded()).hasSize(1);
    assertThat(registry.scan()).as("the refused version is not tried again").isEmpty();
    assertThat(readDiary()).containsSubsequence("start one", "stop one", "start one");
    versionedJar("disks.jar", "two").write();
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(answerOfDelete(registry)).isEqualTo("two");
    assertThat(problems(registry)).isEmpty();
  }

  @Test
  void scan_differentPluginFailsToStart_removesPreviousPlugin() throws Exception {
    versionedJar("disks.jar", "one").write();
    PluginRegistry registry = read();
    PluginJarBuilder.at(plugins().resolve("disks.jar"))
        .withPlugin(
            "com.example.Other",
            "example.com/other",
            "@Override public void start(PluginContext context) { throw new IllegalStateException(); }")
        .write();
    assertThat(scanTwice(registry)).contains(NAME);
    assertThat(registry.find(NAME)).isEmpty();
    assertThat(problems(registry)).contains("start failed").doesNotContain("keeps running");
  }

  @Test
  void scan_brokenReplacement_keepsPreviousVersion() throws Exception {
    Path jar = versionedJar("disks.jar", "one").write();
    PluginRegistry registry = read();
    Files.write(jar, new byte[] {1, 2, 3});
    assertThat(scanTwice(registry)).isEmpty();
    assertThat(problems(registry))
        .startsWith("plugin disks.jar: not a readable jar (")
        .endsWith("build or copy it again; the previous version keeps running");
    assertThat(answerOfDelete(registry)).isEqualTo("one");
    versionedJar("disks.jar", "two").write();
    assertThat(scanTwice(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(answerOfDelete(registry)).isEqualTo("two");
  }

  @Test
  void copy_noWritableDirectory_usesJarsInPlace() throws Exception {
    Path jar = versionedJar("disks.jar", "one").write();
    JarStaging staging = new JarStaging(folder.resolve("does-not-exist"));
    assertThat(staging.copy(List.of(jar))).containsExactly(jar);
    staging.remove(List.of(jar));
    staging.close();
    assertThat(jar).exists();
  }

  @Test
  void delete_removedPlugin_isUnreachable() throws Exception {
    Path jar = versionedJar("disks.jar", "one").write();
    PluginRegistry registry = read();
    Deleter deleter = registry.find(NAME).orElseThrow().deleter().orElseThrow();
    Files.delete(jar);
    scanTwice(registry);
    assertThat(delete(deleter, "v", "0"))
        .isInstanceOfSatisfying(
            Attempt.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Unreachable.class));
    versionedJar("disks.jar", "again").write();
    scanTwice(registry);
    assertThat(delete(deleter, "v", "0")).isEqualTo(Attempt.rejected("again"));
  }

  /** A slow external plugin does not delay the search for an in-tree plugin. */
  @Test
  void findSupporting_inTree_doesNotCallExternalPlugins() throws Exception {
    PluginJarBuilder.at(plugins().resolve("hangs.jar"))
        .withPlugin(
            "com.example.Hangs",
            """
            package com.example;
            public final class Hangs implements dev.mooring.spi.VolumePlugin {
              @Override public String name() { return "example.com/hangs"; }
              @Override public boolean supports(dev.mooring.model.VolumeSource source) {
                throw new IllegalStateException("asked");
              }
            }
            """)
        .write();
    PluginRegistry registry = read();
    assertThat(registry.inTree().findSupporting(VolumeSource.hostPath("/tmp/x"))).isEmpty();
    assertThat(registry.loaded())
        .singleElement()
        .extracting(p -> p.health().faults())
        .isEqualTo(0L);
  }
}
