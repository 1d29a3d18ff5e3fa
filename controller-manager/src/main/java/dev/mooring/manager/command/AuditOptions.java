package dev.mooring.manager.command;

import dev.mooring.manager.audit.AuditLog;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class AuditOptions {
  private static final int BYTES_PER_MEGABYTE = 1 << 20;
  private static final int MOST_MEGABYTES = 1 << 20;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "File for one JSON line per write, event, slow operation and failed reconcile, with the decision and its reason; '-' for standard output. Read it with 'mooring timeline'. Default: none.")
  private @Nullable String target;

  @Option(
      names = "--audit-log-maxsize",
      paramLabel = "MB",
      description =
          "Maximum size of the audit log file in MB, before rotation. Default: ${DEFAULT-VALUE}.")
  private int megabytes = 16;

  @Option(
      names = "--audit-log-maxbackup",
      paramLabel = "N",
      description = "Number of rotated audit log files to keep. Default: ${DEFAULT-VALUE}.")
  private int older = 4;

  Optional<AuditLog.Config> config() throws UsageException {
    if (megabytes < 1 || megabytes > MOST_MEGABYTES) {
      throw new InvalidFlagException(
          "--audit-log-maxsize " + megabytes + ": specify 1 to " + MOST_MEGABYTES + " MB");
    }
    if (older < 0 || older > 999) {
      throw new InvalidFlagException("--audit-log-maxbackup " + older + ": specify 0 to 999");
    }
    if (target != null && target.isBlank()) {
      throw new InvalidFlagException(
          "--audit-log is empty: specify a file, or - for standard output");
    }
    return Optional.ofNullable(target)
        .map(t -> new AuditLog.Config(t, (long) megabytes * BYTES_PER_MEGABYTE, older + 1));
  }
}
