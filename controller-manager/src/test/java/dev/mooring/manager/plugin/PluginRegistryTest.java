package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plugins come, are replaced and go while the program runs. */
@Timeout(300)
class PluginRegistryTest {
  private static final String NAME = "example.com/disks";

  /** Says its version when it is asked to delete; writes down what happens to it. */
  private static final String SPEAKING =
      """
      private static volatile java.nio.file.Path diary;

      static void write(String line) {
        try {
          java.nio.file.Files.writeString(diary, line + "\\n",
              java.nio.file.StandardOpenOption.APPEND, java.nio.file.StandardOpenOption.CREATE);
        } catch (java.io.IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }

      @Override
      public void start(PluginContext context) {
        diary = java.nio.file.Path.of(context.setting("diary", ""));
        write("start VERSION");
      }

      @Override
      public void stop() {
        write("stop VERSION");
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> {
          write("begin VERSION");
          long end = System.nanoTime() + Long.parseLong(request.annotations().getOrDefault("ms", "0")) * 1_000_000;
          while (System.nanoTime() < end) {
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
          }
          write("end VERSION");
          return Attempt.rejected("VERSION");
        });
      }
      """;

  @TempDir private Path folder;
  private @Nullable PluginRegistry registry;

  @AfterEach
  void end() {
    if (registry != null) {
      registry.close();
    }
  }

  private Path plugins() throws IOException {
    return Files.createDirectories(folder.resolve("plugins"));
  }

  private PluginJarBuilder speaking(String jar, String version) throws IOException {
    return PluginJarBuilder.at(plugins().resolve(jar))
        .withPlugin("com.example.Disks", NAME, SPEAKING.replace("VERSION", version));
  }

  private PluginRegistry read(@Nullable AllowList allowed, Duration deadline) throws Exception {
    registry =
        PluginRegistry.read(
            new PluginRegistry.Config(
                plugins(),
                Map.of("diary", folder.resolve("diary").toString()),
                deadline,
                allowed,
                true));
    return registry;
  }

  private PluginRegistry read() throws Exception {
    return read(null, Duration.ofSeconds(10));
  }

  private static Set<String> twoLooks(PluginRegistry registry) throws InterruptedException {
    assertThat(registry.scan()).as("what has just changed may still be written").isEmpty();
    return registry.scan();
  }

  private static Attempt<Gone> delete(Deleter deleter, String volume, String millis) {
    return deleter.delete(
        new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of("ms", millis)));
  }

  private static String said(PluginRegistry registry) {
    Attempt<Gone> attempt =
        delete(registry.named(NAME).orElseThrow().deleter().orElseThrow(), "v", "0");
    return ((Attempt.Failed<Gone>) attempt).why().message();
  }

  private List<String> diary() throws IOException {
    return Files.readAllLines(folder.resolve("diary"));
  }

  private static String problems(PluginRegistry registry) {
    return String.join("\n", registry.problems().stream().map(PluginProblem::toString).toList());
  }

  private static void until(BooleanSupplier condition) {
    Patience.until("it comes to that", condition::getAsBoolean);
  }

  @Test
  void aPluginComesIsReplacedAndGoes() throws Exception {
    PluginRegistry registry = read();
    List<Set<String>> told = new ArrayList<>();
    registry.onChange(told::add);
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
    assertThat(told).containsExactly(Set.of(NAME), Set.of(NAME), Set.of(NAME));
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
  void aFileOfAnotherNameTakesOver() throws Exception {
    Path old = speaking("disks-1.jar", "one").write();
    PluginRegistry registry = read();
    speaking("disks-2.jar", "two").write();
    assertThat(twoLooks(registry)).isEmpty();
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks-2.jar: its name \"example.com/disks\" is taken by disks-1.jar: remove one of the two");
    assertThat(said(registry)).isEqualTo("one");
    Files.delete(old);
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(said(registry)).isEqualTo("two");
  }

  @Test
  void aCallThatRunsEndsBeforeItsPluginDoes() throws Exception {
    speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    Deleter deleter = registry.named(NAME).orElseThrow().deleter().orElseThrow();
    AtomicReference<@Nullable Attempt<Gone>> answer = new AtomicReference<>();
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
  void classesAreFoundThoughTheJarIsOverwritten() throws Exception {
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
  void aBrokenReplacementLeavesTheOneThatWorks() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    PluginRegistry registry = read();
    Files.write(jar, new byte[] {1, 2, 3});
    assertThat(twoLooks(registry)).isEmpty();
    assertThat(problems(registry))
        .startsWith("plugin disks.jar: not a readable jar (")
        .endsWith("build or copy it again; what was loaded of it before goes on");
    assertThat(said(registry)).isEqualTo("one");
    speaking("disks.jar", "two").write();
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(problems(registry)).isEmpty();
    assertThat(said(registry)).isEqualTo("two");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2    | bad.jar is built against level 2 of the plugin interface, this version of Mooring takes 1: take a newer Mooring, or an older version of the plugin
          0    | bad.jar is built against level 0 of the plugin interface, this version of Mooring takes 1: take a newer version of the plugin
          one  | bad.jar says Mooring-Spi-Level: one in its manifest, which is no number: write 1
          """)
  void aPluginForAnotherVersionIsNamed(String level, String line) throws Exception {
    speaking("bad.jar", "one").level(level).write();
    PluginJarBuilder.at(plugins().resolve("good.jar"))
        .withPlugin("com.example.Good", "example.com/good", "")
        .write();
    PluginRegistry registry = read();
    assertThat(problems(registry)).isEqualTo("plugin bad.jar: " + line);
    assertThat(registry.named("example.com/good")).isPresent();
  }

  @Test
  void whatGoesWrongIsOneLineAndTheOthersRun() throws Exception {
    PluginJarBuilder.at(plugins().resolve("a-throws.jar"))
        .withPlugin(
            "com.example.Throws",
            "example.com/throws",
            "public Throws() { throw new AssertionError(\"no luck\\nat all\"); }")
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
    speaking("f-good.jar", "good").write();
    PluginRegistry registry = read(null, Duration.ofMillis(500));
    assertThat(registry.problems().stream().map(PluginProblem::toString))
        .containsExactly(
            "plugin a-throws.jar: cannot be loaded (AssertionError: no luck): is it built for this version of Mooring, with its libraries beside it?",
            "plugin b-hangs.jar: its constructor, or its name(), does not come to an end (plugin b-hangs.jar has not answered about its construction for 0.5 s): do slow work in start",
            "plugin c-refuses.jar: refuses to start (size 0: name a size)",
            "plugin d-never-starts.jar: refuses to start (plugin example.com/starts has not answered about its start for 0.5 s)",
            "plugin e-nameless.jar: cannot be loaded (NullPointerException: the plugin has no name): is it built for this version of Mooring, with its libraries beside it?");
    assertThat(said(registry)).isEqualTo("good");
  }

  @Test
  void onlyJarsOfTheListAreLoaded() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    Path list = Files.writeString(folder.resolve("allowed"), "# none yet\n");
    PluginRegistry registry = read(AllowList.of(list), Duration.ofSeconds(10));
    String sum =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    assertThat(problems(registry))
        .isEqualTo(
            "plugin disks.jar: the sha256 of disks.jar is "
                + sum
                + ", which is not in "
                + list
                + " (--plugin-allow): find out where the jar is from, then add it");
    assertThat(registry.named(NAME)).isEmpty();

    Files.writeString(list, sum.toUpperCase(java.util.Locale.ROOT) + "  disks.jar\n");
    Files.setLastModifiedTime(
        jar, java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() + 5000));
    assertThat(twoLooks(registry)).containsExactly(NAME);
    assertThat(said(registry)).isEqualTo("one");

    speaking("disks.jar", "changed").write();
    assertThat(twoLooks(registry)).isEmpty();
    assertThat(said(registry)).as("what was allowed goes on").isEqualTo("one");
  }

  @Test
  void aListThatIsNoneIsNamed() throws Exception {
    Path list = Files.writeString(folder.resolve("allowed"), "\ndisks.jar\n");
    assertThatThrownBy(() -> AllowList.of(list))
        .hasMessageContaining("line 2: \"disks.jar\" does not begin with a sha256");
    assertThatThrownBy(() -> AllowList.of(folder.resolve("none")))
        .hasMessageContaining("--plugin-allow " + folder.resolve("none") + " cannot be read");
  }

  @Test
  void whereNothingCanBeCopiedTheJarsThemselvesAreUsed() throws Exception {
    Path jar = speaking("disks.jar", "one").write();
    Staging staging = new Staging(folder.resolve("does-not-exist"));
    assertThat(staging.of(List.of(jar))).containsExactly(jar);
    staging.remove(List.of(jar));
    staging.close();
    assertThat(jar).exists();
  }

  @Test
  void aPluginThatIsTakenAwayAnswersNobody() throws Exception {
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

  /** As Kubernetes mounts volumes of its own: the files are links into a hidden folder. */
  @Test
  void hiddenFoldersAreNoPluginsAndALinkToNowhereCostsItselfAlone() throws Exception {
    Path hidden = Files.createDirectories(plugins().resolve("..2026"));
    Path jar = speaking("..2026/disks.jar", "one").write();
    Files.createSymbolicLink(plugins().resolve("..data"), hidden);
    Files.createSymbolicLink(plugins().resolve("disks.jar"), jar);
    Files.createSymbolicLink(plugins().resolve("gone.jar"), hidden.resolve("nowhere.jar"));
    PluginRegistry registry = read();
    assertThat(problems(registry)).startsWith("plugin gone.jar: not a readable jar (");
    assertThat(registry.problems()).hasSize(1);
    assertThat(said(registry)).isEqualTo("one");
  }

  /** A plugin that is not Kubernetes' own holds nobody up who asks for Kubernetes' own. */
  @Test
  void onlyThoseAreAskedWhoMayAnswer() throws Exception {
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
