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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compares a manager's audit log with the requests that its server received. */
@Timeout(300)
class AuditedRunTest {
  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final Set<String> WRITES = Set.of("create", "patch", "patch-status", "delete");

  @TempDir private Path folder;
  private Path requests;
  private Path log;
  private SharedCluster cluster;

  @BeforeEach
  void start() throws Exception {
    requests = folder.resolve("requests.log");
    log = folder.resolve("audit.log");
    cluster = SharedCluster.of(folder, ApiServer.start(QuietCheck.audited(requests)));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private ControllerManager manager(String... flags) throws Exception {
    return cluster.start(Files.createDirectories(folder.resolve("none")), flags);
  }

  private void volume(String name) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteMany"], "storageClassName": "s", "nfs": {"server": "n", "path": "/"}}}
        """
            .formatted(name));
  }

  private List<AuditLine> lines() throws IOException {
    List<AuditLine> lines = new ArrayList<>();
    assertThat(new AuditFiles(log).read(lines::add)).isZero();
    return lines;
  }

  @Test
  void auditLog_everyWrite_hasLine() throws Exception {
    ControllerManager manager = manager("--audit-log=" + log);
    cluster.claim("data", "s", "");
    cluster.until("claim has the reason", () -> cluster.hasEvent("data", "ProvisioningFailed", ""));
    volume("v");
    cluster.until("claim is bound", () -> cluster.isBound("data") && manager.isIdle());
    cluster.handlers().delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
    cluster.until("volume is released", () -> cluster.state().contains("\"Released\""));
    manager.stop();
    List<AuditEvent> seen =
        AuditEvent.read(requests).stream()
            .filter(r -> r.isOfController() && !READS.contains(r.verb()))
            .filter(r -> !r.path().contains("/events"))
            .toList();
    List<AuditLine> written = lines().stream().filter(l -> WRITES.contains(l.did())).toList();
    assertThat(seen).hasSizeGreaterThan(5);
    assertThat(written).hasSameSizeAs(seen);
    assertThat(written)
        .allSatisfy(line -> {
          assertThat(line.controller()).isNotEmpty();
          assertThat(line.decision()).as("%s", line).isNotEmpty();
          assertThat(line.to()).isGreaterThanOrEqualTo(line.from());
        });
    assertThat(Timeline.read(new AuditFiles(log), Kind.VOLUME, ObjectKey.cluster("v")).lines())
        .extracting(AuditLine::decision)
        .containsSubsequence("Wait", "Bind", "Reclaim");
  }

  @Test
  void auditLog_unwritable_preventsStart() {
    assertThatThrownBy(() -> manager("--audit-log=" + folder.resolve("no/log")))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--audit-log %s cannot be written: no such directory", folder.resolve("no/log"));
  }
}
