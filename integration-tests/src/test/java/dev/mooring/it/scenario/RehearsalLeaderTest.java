package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.shadow.ElectionRehearsal;
import dev.mooring.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rehearsal without a leader, or with one that decides nothing. */
class RehearsalLeaderTest {
  @TempDir private Path folder;

  private Path writeKubeconfig(ApiServer server) throws Exception {
    return Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
  }

  @Test
  void rehearsal_noLeader_leadsAtOnce() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      List<Path> kubeconfig = List.of(writeKubeconfig(server));
      List<String> flags = List.of("--rehearse=10m", "--endpoints=off");
      ElectionRehearsal rehearsal =
          RunFlags.rehearsal(
              flags,
              Resources.plugins(),
              KubeConnection.ofFiles(kubeconfig, "", "test"),
              new SystemTime());
      ControllerManager manager =
          RunFlags.manager(
              flags, Resources.plugins(), KubeConnection.ofFiles(kubeconfig, "", "test"));
      manager.onServer(rehearsal);
      manager.start();
      manager.stop();
      assertThat(rehearsal.state()).isEqualTo(ElectionRehearsal.State.SKIPPED);
      assertThat(rehearsal.report().decisionCount()).isZero();
    }
  }

  private static void createLease(ApiServer server, int seconds) throws Exception {
    RestApi.of(server, "")
        .create(
            JsonParser.parseString(
                    """
                    {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
                     "metadata": {"namespace": "kube-system", "name": "mooring-controller-manager"},
                     "spec": {"holderIdentity": "other process", "leaseDurationSeconds": %d}}
                    """
                        .formatted(seconds))
                .getAsJsonObject());
  }

  @Test
  void rehearsal_leaderDecidesNothing_reportsNothingCompared() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      createLease(server, 3600);
      RehearsedUpgrade replica = new RehearsedUpgrade(writeKubeconfig(server));
      try {
        replica.start(List.of());
        assertThat(replica.finish(Duration.ofMinutes(11))).startsWith("nothing-compared");
      } finally {
        replica.stop();
      }
    }
  }

  @Test
  void rehearsal_leaderGoneAndNoOtherCandidate_endsEarly() throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      createLease(server, 1);
      RehearsedUpgrade replica = new RehearsedUpgrade(writeKubeconfig(server));
      try {
        replica.start(List.of("--leader-elect-retry-period=100ms"));
        assertThat(replica.finish(Duration.ofMinutes(1))).startsWith("skipped");
      } finally {
        replica.stop();
      }
    }
  }
}
