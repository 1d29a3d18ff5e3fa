package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.it.RestrictedServer;
import dev.mooring.manager.command.RunFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowCommandTest {
  private static final String CLAIM =
      """
      {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"},
       "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "",
                "resources": {"requests": {"storage": "1Gi"}}}}
      """;

  @TempDir private Path folder;

  private static CommandResult run(Path kubeconfig, String... flags) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("shadow", "--kubeconfig=" + kubeconfig, "--plugins=" + Resources.plugins()));
    arguments.addAll(List.of(flags));
    return CommandResult.ofCommand(arguments.toArray(String[]::new));
  }

  @Test
  void shadow_quietCluster_findsNothingAndOnlyReads() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      server.admin().create(JsonParser.parseString(CLAIM).getAsJsonObject());
      Path kubeconfig = server.kubeconfig(folder, RunFlags.rightsOfShadow(List.of()));

      CommandResult result = run(kubeconfig, "--for=500ms", "-o", "json");

      assertThat(result.code()).as(result.output()).isZero();
      JsonObject report = JsonParser.parseString(result.out()).getAsJsonObject();
      assertThat(report.get("unexplained").getAsInt()).isZero();
      assertThat(server.requests())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.verb()).isIn("get", "list", "watch"));
      assertThat(server.forbiddenRequests()).isEmpty();
    }
  }

  @Test
  void shadow_withoutRights_namesKindAndRemedyInOneLine() throws Exception {
    try (RestrictedServer server = RestrictedServer.start(folder)) {
      Path kubeconfig =
          Files.writeString(
              folder.resolve("unprivileged"),
              server
                  .server()
                  .kubeconfig()
                  .replace(
                      '"' + RestrictedServer.TOKEN + '"', '"' + server.unprivilegedToken() + '"'));

      CommandResult result = run(kubeconfig, "--for=1s");

      assertThat(result.code()).isOne();
      assertThat(result.lines())
          .singleElement()
          .asString()
          .startsWith("mooring: cannot list persistentvolumes: ")
          .endsWith("'mooring rights --shadow-only' prints a role that may");
    }
  }

  @Test
  void shadow_directoryOfScenariosInFile_isRejected() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    CommandResult result = run(folder.resolve("none"), "--scenarios-dir=" + file + "/inside");

    assertThat(result.code()).isOne();
    assertThat(result.output()).contains("inside is not a writable directory");
  }
}
