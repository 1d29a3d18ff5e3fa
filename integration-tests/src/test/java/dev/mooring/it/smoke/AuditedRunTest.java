package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.QuietCheck;
import dev.mooring.manager.audit.AuditFiles;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.audit.Timeline;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares a manager's audit log with the requests that its server received. */
class AuditedRunTest {
  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final Set<String> WRITES = Set.of("create", "patch", "patch-status", "delete");

  @TempDir private Path folder;
  private Path requestLog;
  private Path auditLog;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    requestLog = folder.resolve("requests.log");
    auditLog = folder.resolve("audit.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.auditedOptions(requestLog)));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private ControllerManager startManager(String... flags) throws Exception {
    return cluster.startManager(Files.createDirectories(folder.resolve("none")), flags);
  }

  private void createVolume(String name) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
        """
            .formatted(name));
  }

  private List<AuditLine> readAuditLines() throws IOException {
    List<AuditLine> lines = new ArrayList<>();
    assertThat(new AuditFiles(auditLog).read(lines::add)).isZero();
    return lines;
  }

  @Test
  void auditLog_everyWrite_hasLine() throws Exception {
    ControllerManager manager = startManager("--audit-log=" + auditLog);
    cluster.createClaim("data", "s", "");
    cluster.awaitCondition(
        "claim has an event", () -> cluster.hasEvent("data", "ProvisioningFailed", ""));
    createVolume("v");
    cluster.awaitCondition("claim is bound", () -> cluster.isBound("data") && manager.isIdle());
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
    cluster.awaitCondition(
        "volume is released", () -> cluster.objectsAsText().contains("\"Released\""));
    manager.stop();
    List<AuditEvent> writeRequests =
        AuditEvent.read(requestLog).stream()
            .filter(request -> request.isOfController() && !READS.contains(request.verb()))
            .filter(request -> !request.path().contains("/events"))
            .toList();
    List<AuditLine> writeLines =
        readAuditLines().stream().filter(line -> WRITES.contains(line.did())).toList();
    assertThat(writeRequests).hasSizeGreaterThan(5);
    assertThat(writeLines).hasSameSizeAs(writeRequests);
    assertThat(writeLines)
        .allSatisfy(line -> {
          assertThat(line.controller()).isNotEmpty();
          assertThat(line.decision()).as("%s", line).isNotEmpty();
          assertThat(line.to()).isGreaterThanOrEqualTo(line.from());
        });
    assertThat(Timeline.read(new AuditFiles(auditLog), Kind.VOLUME, ObjectKey.cluster("v")).lines())
        .extracting(AuditLine::decision)
        .containsSubsequence("Wait", "Bind", "Reclaim");
  }

  @Test
  void auditLog_unwritable_preventsStart() {
    assertThatThrownBy(() -> startManager("--audit-log=" + folder.resolve("no/log")))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--audit-log %s cannot be written: no such directory", folder.resolve("no/log"));
  }
}
