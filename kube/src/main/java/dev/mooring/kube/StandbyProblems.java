package dev.mooring.kube;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

// Reports failed writes of the Lease: of a standby once for each message, of a leader every time.
final class StandbyProblems {
  private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());

  private final ObjectKey lease;
  private volatile Consumer<String> listener = problem -> {};
  private volatile String lastFailure = "";

  StandbyProblems(ObjectKey lease) {
    this.lease = lease;
  }

  // The listener receives the reason why this standby cannot lead, or "" if the reason is gone.
  void listen(Consumer<String> newListener) {
    listener = newListener;
  }

  WriteResult<Lease> explainCreation(WriteResult<Lease> result) {
    return result instanceof WriteResult.Gone<Lease>
        ? new WriteResult.Rejected<>(
            404,
            "namespace %s does not exist: create it, or name another with --leader-elect-resource-namespace"
                .formatted(lease.namespace()))
        : result;
  }

  void report(WriteResult<Lease> result, boolean isLeading) {
    // a read of the Lease follows and shows who changed or deleted it
    boolean isExpected =
        result instanceof WriteResult.Conflict<Lease>
            || !isLeading && result instanceof WriteResult.Gone<Lease>;
    String failure = result.toString();
    boolean isRepeated = !isLeading && failure.equals(lastFailure);
    LOG.log(
        isExpected || isRepeated ? Level.DEBUG : Level.WARNING,
        LogMessage.of("the lease cannot be written")
            .with("lease", lease)
            .with(LogMessage.ERR, failure));
    if (isLeading || isExpected) {
      return;
    }
    lastFailure = failure;
    if (result instanceof WriteResult.Rejected<Lease>) {
      listener.accept("lease " + lease + " cannot be written: " + failure);
    }
  }

  void clear() {
    if (!lastFailure.isEmpty()) {
      lastFailure = "";
      listener.accept("");
    }
  }
}
