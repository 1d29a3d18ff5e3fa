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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code mooring dev}. */
@Timeout(300)
class DevCommandTest {
  private static final String NAME = "example.com/marks";

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

  private static final String DONE =
      "Attempt.done(new Provisioner.Provisioned(VolumeSource.hostPath(\"/VERSION/\" + request.volumeName()), request.capacity(), request.accessModes(), Map.of()))";

  @TempDir private Path folder;
  private Path plugins;

  @BeforeEach
  void create() throws IOException {
    plugins = Files.createDirectory(folder.resolve("plugins"));
  }

  private void jar(String result) throws IOException {
    PluginJarBuilder.at(plugins.resolve("marks.jar"))
        .withPlugin("com.example.Marks", NAME, MEMBERS.replace("RESULT", result))
        .write();
  }

  private JavaProcess dev(String... more) throws IOException {
    String[] args = new String[more.length + 3];
    args[0] = "dev";
    args[1] = "--plugins";
    args[2] = plugins.toString();
    System.arraycopy(more, 0, args, 3, more.length);
    return JavaProcess.mooring(args);
  }

  @Test
  void plugin_working_bindsAndDeletesASampleClaim() throws Exception {
    jar(DONE);
    try (JavaProcess process = dev()) {
      assertThat(process.exitCode()).as(process.output().toString()).isZero();
      assertThat(process.output())
          .anyMatch(line -> line.equals("class marks with provisioner " + NAME + " created"))
          .anyMatch(line -> line.startsWith("claim data-1 is Bound to pvc-"))
          .anyMatch(line -> line.matches("claim data-1 and volume pvc-\\S+ are deleted"));
    }
  }

  @Test
  void plugin_rejecting_failsWithExplanation() throws Exception {
    jar("Attempt.rejected(\"no room in the shed\")");
    try (JavaProcess process = dev()) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output())
          .anyMatch(line -> line.startsWith("FAILED: claim data-1 is not Bound"))
          .anyMatch(line -> line.contains("no room in the shed"));
    }
  }

  @Test
  void directory_withoutProvisioner_fails() throws Exception {
    try (JavaProcess process = dev()) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output().getLast()).contains("no plugin in", "provisions volumes");
    }
  }

  @Test
  void watch_changedJar_isTriedAgain() throws Exception {
    jar(DONE.replace("VERSION", "one"));
    try (JavaProcess process = dev("--watch")) {
      process.awaitLine(line -> line.startsWith("claim data-1 is Bound"));
      process.awaitLine(line -> line.startsWith("watching "));
      jar(DONE.replace("VERSION", "two"));
      process.awaitLine(line -> line.equals("changed: " + NAME));
      process.awaitLine(line -> line.startsWith("claim data-2 is Bound"));
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void unknownSetting_isNamed() throws Exception {
    jar(DONE);
    try (JavaProcess process = dev("--plugin-setting=nonsense=1")) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(List.of(process.output().getLast())).first().asString().contains("nonsense");
    }
  }
}
