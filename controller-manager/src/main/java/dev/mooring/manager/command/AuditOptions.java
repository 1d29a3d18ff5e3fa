package dev.mooring.manager.command;

import dev.mooring.manager.audit.AuditLog;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where it is written what was decided and done: kube-apiserver's flags, as far as it has them. */
final class AuditOptions {
  private static final int BYTES_PER_MEGABYTE = 1 << 20;
  private static final int MOST_MEGABYTES = 1 << 20;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Write one JSON line there for each write, event, slow operation and failed reconcile, with what was decided and why; - for standard output. 'mooring timeline' reads it. Default: none.")
  private @Nullable String target;

  @Option(
      names = "--audit-log-maxsize",
      paramLabel = "MB",
      description =
          "How large the audit log's file may become before the next one is begun. Default: ${DEFAULT-VALUE}.")
  private int megabytes = 16;

  @Option(
      names = "--audit-log-maxbackup",
      paramLabel = "N",
      description = "How many older files of the audit log are kept. Default: ${DEFAULT-VALUE}.")
  private int older = 4;

  /** Empty for none. */
  Optional<AuditLog.Config> config() throws UsageException {
    if (megabytes < 1 || megabytes > MOST_MEGABYTES) {
      throw new WrongFlagException(
          "--audit-log-maxsize "
              + megabytes
              + ": a file may have from 1 to "
              + MOST_MEGABYTES
              + " MB");
    }
    if (older < 0 || older > 999) {
      throw new WrongFlagException(
          "--audit-log-maxbackup " + older + ": name a number from 0 to 999");
    }
    if (target != null && target.isBlank()) {
      throw new WrongFlagException("--audit-log names no file: name one, or - for standard output");
    }
    return Optional.ofNullable(target)
        .map(t -> new AuditLog.Config(t, (long) megabytes * BYTES_PER_MEGABYTE, older + 1));
  }
}
