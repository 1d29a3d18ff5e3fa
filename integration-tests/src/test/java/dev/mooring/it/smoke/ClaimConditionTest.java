package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.QuietCheck;
import dev.mooring.manager.lifecycle.ControllerManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the condition that explains why a claim waits. */
class ClaimConditionTest {
  @TempDir private Path folder;
  private Path requestLog;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    requestLog = folder.resolve("requests.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(requestLog)));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private String conditions() {
    try {
      JsonObject status =
          cluster
              .handlers()
              .get(KindCatalogue.CLAIMS, "default", "data")
              .tree()
              .getAsJsonObject("status");
      JsonArray conditions = status == null ? null : status.getAsJsonArray("conditions");
      return conditions == null ? "" : conditions.toString();
    } catch (StatusException notFound) {
      return "";
    }
  }

  @Test
  void condition_waitingClaim_isRemovedByBindingWrite() throws Exception {
    ControllerManager manager =
        cluster.startManager(Files.createDirectories(folder.resolve("none")), "--claim-condition");
    cluster.createClaim("data", "s", "");
    cluster.awaitCondition(
        "claim has the condition", () -> conditions().contains("\"ClassMissing\""));
    assertThat(conditions())
        .contains("\"mooring.dev/Waiting\"", "\"True\"", "what to do: create the class");
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
        """);
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("data") && manager.isIdle());
    assertThat(conditions()).isEmpty();
    List<AuditEvent> writes =
        AuditEvent.read(requestLog).stream()
            .filter(request -> request.isOfController() && request.verb().equals("patch"))
            .filter(request -> request.path().endsWith("/persistentvolumeclaims/data/status"))
            .toList();
    assertThat(writes).as("one write for the condition, one for the binding").hasSize(2);
    assertThat(writes).allSatisfy(write -> assertThat(write.code()).isEqualTo(200));
  }
}
