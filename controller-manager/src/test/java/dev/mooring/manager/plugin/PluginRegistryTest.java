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
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PluginRegistryTest extends PluginRegistryFixture {
  private List<String> diary() throws IOException {
    return Files.readAllLines(folder.resolve("diary"));
  }

  private static void until(BooleanSupplier condition) {
    TestWait.until("the expected state", condition::getAsBoolean);
  }

  @Test
  void scan_loadsReplacesAndUnloads() throws Exception {
    PluginRegistry registry = read();
    List<Set<String>> notifications = new ArrayList<>();
    registry.onChange(notifications::add);
    assertThat(registry.scan()).isEmpty();

    Path jar = speaking("disks.jar", "one").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(said(registry)).isEqualTo("one");

    speaking("disks.jar", "two").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(said(registry)).isEqualTo("two");

    Files.delete(jar);
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(registry.named(NAME)).isEmpty();
    assertThat(registry.loaded()).isEmpty();
    assertThat(notifications).containsExactly(Set.of(NAME), Set.of(NAME), Set.of(NAME));
    assertThat(diary())
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
  void scan_renamedJar_takesOver() throws Exception {
    Path old = speaking("disks-1.jar", "one").write();
    PluginRegistry registry = read();
    speaking("disks-2.jar", "two").write();
    assertThat(twoLooks(registry)).isEmpty();
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks-2.jar: its name \"example.com/disks\" is used by disks-1.jar: remove one of the two");
    assertThat(said(registry)).isEqualTo("one");
    Files.delete(old);
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(said(registry)).isEqualTo("two");
  }

  @Test
  void scan_runningCall_endsBeforeUnload() throws Exception {
    speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    Deleter deleter = registry.named(NAME).orElseThrow().deleter().orElseThrow();
    AtomicReference<@Nullable Attempt<Deleted>> answer = new AtomicReference<>();
    Thread caller = Thread.startVirtualThread(() -> answer.set(delete(deleter, "slow", "300")));
    until(() -> {
      try {
        return diary().contains("begin one");
      } catch (IOException e) {
        return false;
      }
    });
    speaking("disks.jar", "two").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    caller.join();
    assertThat(answer.get()).isEqualTo(Attempt.rejected("one"));
    assertThat(diary())
        .containsExactly("start one", "begin one", "end one", "stop one", "start two");
  }

  @Test
  void overwrittenJar_classesRemainLoadable() throws Exception {
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
    assertThat(said(registry)).isEqualTo("later");
  }

  @Test
  void replacementThatRefusesToStart_leavesTheOneThatWorks() throws Exception {
    speaking("disks.jar", "one").write();
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
    twoLooks(registry);
    assertThat(said(registry)).isEqualTo("one");
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks.jar: start failed (size \"x\" is no size: name one); the previous version keeps running");
    assertThat(registry.loaded()).hasSize(1);
    assertThat(registry.scan()).as("the refused version is not tried again").isEmpty();
    assertThat(diary()).containsSubsequence("start one", "stop one", "start one");
    speaking("disks.jar", "two").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(said(registry)).isEqualTo("two");
    assertThat(problems(registry)).isEmpty();
  }

  @Test
  void replacementWithAnotherName_thatRefusesToStart_isNoReasonToKeepTheFirst() throws Exception {
    speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    PluginJarBuilder.at(plugins().resolve("disks.jar"))
        .withPlugin(
            "com.example.Other",
            "example.com/other",
            "@Override public void start(PluginContext context) { throw new IllegalStateException(); }")
        .write();
    assertThat(twoLooks(registry)).contains(NAME);
    assertThat(registry.named(NAME)).isEmpty();
    assertThat(problems(registry)).contains("start failed").doesNotContain("keeps running");
  }

  @Test
  void scan_brokenReplacement_keepsPreviousVersion() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    Files.write(jar, new byte[] {1, 2, 3});
    assertThat(twoLooks(registry)).isEmpty();
    assertThat(problems(registry))
        .startsWith("plugin disks.jar: not a readable jar (")
        .endsWith("build or copy it again; the previous version keeps running");
    assertThat(said(registry)).isEqualTo("one");
    speaking("disks.jar", "two").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(said(registry)).isEqualTo("two");
  }

  @Test
  void noWritableDirectory_usesJarsInPlace() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    JarStaging staging = new JarStaging(folder.resolve("does-not-exist"));
    assertThat(staging.of(List.of(jar))).containsExactly(jar);
    staging.remove(List.of(jar));
    staging.close();
    assertThat(jar).exists();
  }

  @Test
  void supporting_removedPlugin_isNotCalled() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    Deleter held = registry.named(NAME).orElseThrow().deleter().orElseThrow();
    Files.delete(jar);
    twoLooks(registry);
    assertThat(delete(held, "v", "0"))
        .isInstanceOfSatisfying(
            Attempt.Failed.class,
            failed -> assertThat(failed.why()).isInstanceOf(Failure.Unreachable.class));
    speaking("disks.jar", "again").write();
    twoLooks(registry);
    assertThat(delete(held, "v", "0")).isEqualTo(Attempt.rejected("again"));
  }

  /** A slow external plugin does not delay the search for an in-tree plugin. */
  @Test
  void supporting_callsMatchingPluginsOnly() throws Exception {
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
    assertThat(registry.inTree().supporting(VolumeSource.hostPath("/tmp/x"))).isEmpty();
    assertThat(registry.loaded())
        .singleElement()
        .extracting(p -> p.health().faults())
        .isEqualTo(0L);
  }
}
