package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.JavaProcess;
import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring dev}. */
class DevCommandTest {
  private static final String PLUGIN = "example.com/marks";

  private static final String MEMBERS =
      """
      @Override
      public Optional<Provisioner> provisioner() {
        return Optional.of(request -> RESULT);
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> Attempt.done(new Deleter.Deleted()));
      }
      """;

  private static final String PROVISIONED =
      "Attempt.done(new Provisioner.Provisioned(VolumeSource.hostPath(\"/VERSION/\" + request.volumeName()), request.capacity(), request.accessModes(), Map.of()))";

  @TempDir private Path folder;
  private Path plugins;

  @BeforeEach
  void createPluginDirectory() throws IOException {
    plugins = Files.createDirectory(folder.resolve("plugins"));
  }

  private void writePluginJar(String result) throws IOException {
    PluginJarBuilder.at(plugins.resolve("marks.jar"))
        .withPlugin("com.example.Marks", PLUGIN, MEMBERS.replace("RESULT", result))
        .write();
  }

  private JavaProcess startDev(String... options) throws IOException {
    String[] args = new String[options.length + 3];
    args[0] = "dev";
    args[1] = "--plugins";
    args[2] = plugins.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return JavaProcess.startMooring(args);
  }

  @Test
  void dev_workingPlugin_bindsAndDeletesSampleClaim() throws Exception {
    writePluginJar(PROVISIONED);
    try (JavaProcess process = startDev()) {
      assertThat(process.exitCode()).as(process.output().toString()).isZero();
      assertThat(process.output())
          .anyMatch(line -> line.equals("class marks with provisioner " + PLUGIN + " created"))
          .anyMatch(line -> line.startsWith("claim data-1 is Bound to pvc-"))
          .anyMatch(line -> line.matches("claim data-1 and volume pvc-\\S+ are deleted"));
    }
  }

  @Test
  void dev_rejectingPlugin_failsWithExplanation() throws Exception {
    writePluginJar("Attempt.rejected(\"no room in the shed\")");
    try (JavaProcess process = startDev()) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output())
          .anyMatch(line -> line.startsWith("FAILED: claim data-1 is not Bound"))
          .anyMatch(line -> line.contains("no room in the shed"));
    }
  }

  @Test
  void dev_noProvisioner_fails() throws Exception {
    try (JavaProcess process = startDev()) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output().getLast()).contains("no plugin in", "provisions volumes");
    }
  }

  @Test
  void devWatch_changedJar_runsSecondTrial() throws Exception {
    writePluginJar(PROVISIONED.replace("VERSION", "one"));
    try (JavaProcess process = startDev("--watch")) {
      process.awaitLine(line -> line.startsWith("claim data-1 is Bound"));
      process.awaitLine(line -> line.startsWith("watching "));
      writePluginJar(PROVISIONED.replace("VERSION", "two"));
      process.awaitLine(line -> line.equals("changed: " + PLUGIN));
      process.awaitLine(line -> line.startsWith("claim data-2 is Bound"));
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void dev_unknownSetting_isNamed() throws Exception {
    writePluginJar(PROVISIONED);
    try (JavaProcess process = startDev("--plugin-setting=nonsense=1")) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(List.of(process.output().getLast())).first().asString().contains("nonsense");
    }
  }
}
