package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A plugin directory, and jars for it. */
abstract class PluginRegistryFixture {
  static final String NAME = "example.com/disks";

  /** Returns its version from delete, and records its calls. */
  static final String RECORDING_PLUGIN =
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

  @TempDir Path folder;
  @Nullable PluginRegistry registry;

  @AfterEach
  void closeRegistry() {
    if (registry != null) {
      registry.close();
    }
  }

  Path plugins() throws IOException {
    return Files.createDirectories(folder.resolve("plugins"));
  }

  PluginJarBuilder versionedJar(String jar, String version) throws IOException {
    return PluginJarBuilder.at(plugins().resolve(jar))
        .withPlugin("com.example.Disks", NAME, RECORDING_PLUGIN.replace("VERSION", version));
  }

  PluginRegistry read(@Nullable AllowList allowed, Duration deadline) throws Exception {
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

  PluginRegistry read() throws Exception {
    return read(null, Duration.ofSeconds(10));
  }

  static Set<String> scanTwice(PluginRegistry registry) throws InterruptedException {
    assertThat(registry.scan()).as("a jar that has just changed may be incomplete").isEmpty();
    return registry.scan();
  }

  static Attempt<Deleted> delete(Deleter deleter, String volume, String millis) {
    return deleter.delete(
        new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of("ms", millis)));
  }

  static String answerOfDelete(PluginRegistry registry) {
    Attempt<Deleted> attempt =
        delete(registry.find(NAME).orElseThrow().deleter().orElseThrow(), "v", "0");
    return ((Attempt.Failed<Deleted>) attempt).failure().message();
  }

  static String problems(PluginRegistry registry) {
    return String.join("\n", registry.problems().stream().map(PluginProblem::toString).toList());
  }
}
