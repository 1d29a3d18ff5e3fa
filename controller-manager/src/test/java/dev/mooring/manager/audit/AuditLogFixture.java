package dev.mooring.manager.audit;

import dev.mooring.audit.AuditEntry;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.ReconcileContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** An audit log in a temporary directory. */
abstract class AuditLogFixture {
  static final long MEGABYTE = 1 << 20;

  @TempDir Path folder;

  static AuditEntry entry(String claim, String... fields) {
    return new AuditEntry(
        Instant.ofEpochSecond(1_700_000_000),
        new ReconcileContext.ActionOrigin("some-controller", "shop/" + claim, "Bind", ""),
        "patch",
        new AuditEntry.Target(Kind.CLAIM.kind(), ObjectKey.of("shop", claim), "u"),
        new AuditEntry.Change(List.of(fields), 1, 2),
        "written",
        "",
        Duration.ofMillis(3));
  }

  static List<AuditLine> read(Path file) throws IOException {
    List<AuditLine> lines = new ArrayList<>();
    new AuditFiles(file).read(lines::add);
    return lines;
  }
}
