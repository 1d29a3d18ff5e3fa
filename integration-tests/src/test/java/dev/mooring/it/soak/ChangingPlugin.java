package dev.mooring.it.soak;

import dev.mooring.testkit.PluginJarBuilder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A plugin whose jar a test replaces repeatedly. The path of a volume contains the version that
 * provisioned it.
 */
final class ChangingPlugin {

  static final String PROVISIONER = "example.com/marks";

  private static final String MEMBERS =
      """
      @Override
      public Optional<Provisioner> provisioner() {
        return Optional.of(request -> Attempt.done(new Provisioner.Provisioned(
            VolumeSource.hostPath("/VERSION/" + request.volumeName()),
            request.capacity(), request.accessModes(), Map.of())));
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> Attempt.done(new Deleter.Deleted()));
      }
      """;

  private final Path jar;
  private int version;

  ChangingPlugin(Path plugins) throws IOException {
    jar = plugins.resolve("marks.jar");
    replace();
  }

  /** Installs the next version in place of the current one. */
  void replace() throws IOException {
    version++;
    PluginJarBuilder.at(jar)
        .withPlugin("com.example.Marks", PROVISIONER, MEMBERS.replace("VERSION", "v" + version))
        .write();
  }

  int versionCount() {
    return version;
  }
}
