package dev.mooring.manager.lifecycle;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.LeaderElection;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.storage.BreakerState;
import dev.mooring.storage.BreakerStore;
import java.time.DateTimeException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Stores the state of the deletion circuit breaker in an annotation of the election's Lease, which
 * the leader may write anyway. Only the Lease's holder writes it, with optimistic locking.
 */
record LeaseBreakerStore(ClusterWriter writer, LiveReader reader, ObjectKey lease, String identity)
    implements BreakerStore {
  static final String ANNOTATION = "mooring.dev/deletion-brake";

  // The renewal of the Lease every two seconds is the only regular cause of a conflict.
  private static final int MAX_ATTEMPTS = 5;

  static LeaseBreakerStore of(KubeCluster cluster, LeaderElection.Config election) {
    return new LeaseBreakerStore(cluster, cluster, election.lease(), election.identity());
  }

  @Override
  public ReadResult<BreakerState> load() throws InterruptedException {
    return switch (reader.read(Kind.LEASE, lease)) {
      case ReadResult.Absent<Lease> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Lease>(String message) -> new ReadResult.Failed<>(message);
      case ReadResult.Found<Lease>(Lease currentLease) -> parse(currentLease);
    };
  }

  private ReadResult<BreakerState> parse(Lease currentLease) {
    String text = currentLease.meta().annotation(ANNOTATION);
    try {
      return new ReadResult.Found<>(text.isEmpty() ? BreakerState.EMPTY : BreakerState.parse(text));
    } catch (IllegalArgumentException | DateTimeException e) {
      return new ReadResult.Failed<>(
          "annotation %s of lease %s is invalid: remove it, or run 'mooring resume-deletions'"
              .formatted(ANNOTATION, lease));
    }
  }

  @Override
  public String save(BreakerState state) throws InterruptedException {
    return replace(currentLease -> new ReadResult.Found<>(state));
  }

  @Override
  public String update(UnaryOperator<BreakerState> change) throws InterruptedException {
    return replace(currentLease -> parse(currentLease).map(change));
  }

  private String replace(Function<Lease, ReadResult<BreakerState>> newState)
      throws InterruptedException {
    String problem = "";
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      switch (reader.read(Kind.LEASE, lease)) {
        case ReadResult.Absent<Lease> _ -> {
          return "lease " + lease + " is gone";
        }
        case ReadResult.Failed<Lease>(String message) -> {
          return message;
        }
        case ReadResult.Found<Lease>(Lease currentLease) -> {
          if (!currentLease.holder().equals(identity)) {
            return "this replica is not the leader: send the request to " + currentLease.holder();
          }
          ReadResult<BreakerState> state = newState.apply(currentLease);
          if (state instanceof ReadResult.Failed<BreakerState>(String message)) {
            return message;
          }
          WriteResult<Lease> result = write(currentLease, state.toOptional().orElseThrow());
          if (result instanceof WriteResult.Written<Lease>) {
            return "";
          }
          problem = "lease " + lease + ": write failed: " + result;
          if (!(result instanceof WriteResult.Conflict<Lease>)) {
            return problem;
          }
        }
      }
    }
    return problem;
  }

  private WriteResult<Lease> write(Lease currentLease, BreakerState state)
      throws InterruptedException {
    return writer.patch(
        Kind.LEASE,
        lease,
        Document.patchOf(currentLease.meta())
            .set(state.toText(), "metadata", "annotations", ANNOTATION));
  }
}
