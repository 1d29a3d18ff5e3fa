package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.provisioner.state.ElectionDelays;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.VolumeService.Order;
import java.time.Duration;

/**
 * Elects the node that creates a claim's volume if the scheduler selects none: the first instance
 * that writes its node to the claim. Each instance waits for a random time, and competes only if it
 * has capacity. Thread-safe.
 */
public final class NodeElection {
  private final NodeRules.Instance instance;
  private final NodeStorage storage;
  private final ClusterWriter writer;
  private final ElectionDelays delays;

  public NodeElection(
      NodeRules.Instance instance,
      NodeStorage storage,
      ClusterWriter writer,
      ElectionDelays delays) {
    this.instance = instance;
    this.storage = storage;
    this.writer = writer;
    this.delays = delays;
  }

  public void forget(Uid claim) {
    delays.forget(claim);
  }

  public Outcome compete(Order order) throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    Duration remaining = delays.remaining(claim);
    if (remaining.isPositive()) {
      return new Outcome.CheckAgain(remaining);
    }
    return switch (storage.checkFit(order)) {
      case ENOUGH, UNKNOWN -> select(order.claim());
      case NOT_ENOUGH, NOT_ALLOWED, NOT_NOW -> new Outcome.CheckAgain(delays.lengthen(claim));
      case UNANSWERED ->
          new Outcome.Unanswered(
              "whether node %s has capacity for claim %s is unknown: the API server did not answer"
                  .formatted(instance.node(), order.claim().key()));
    };
  }

  private Outcome select(Claim claim) throws InterruptedException {
    WriteResult<Claim> selected =
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta())
                .set(instance.node(), "metadata", "annotations", ClaimRules.SELECTED_NODE));
    if (selected instanceof WriteResult.Conflict<Claim>) {
      return new Outcome.CheckAgain(
          delays.lengthen(claim.meta().uid())); // another node was probably selected
    }
    forget(claim.meta().uid());
    return Outcome.ofWrite("selecting node " + instance.node() + " for " + claim.key(), selected);
  }
}
