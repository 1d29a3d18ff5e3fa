package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.NodeStorage;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/**
 * Elects the node that creates a claim's volume if the scheduler selects none: the first instance
 * that writes its node to the claim. Each instance waits for a random time, and competes only if it
 * has capacity. Thread-safe.
 */
public final class NodeElection {
  private final NodeRules.Instance instance;
  private final NodeStorage storage;
  private final ClusterWriter writer;
  private final Time time;
  private final DoubleSupplier chance;
  private final Map<Uid, Wait> waits = new ConcurrentHashMap<>();

  private record Wait(int before, long until) {}

  public NodeElection(
      NodeRules.Instance instance,
      NodeStorage storage,
      ClusterWriter writer,
      Time time,
      DoubleSupplier chance) {
    this.instance = instance;
    this.storage = storage;
    this.writer = writer;
    this.time = time;
    this.chance = chance;
  }

  public void forget(Uid claim) {
    waits.remove(claim);
  }

  public Outcome stand(Order order) throws InterruptedException {
    Uid claim = order.claim().meta().uid();
    Wait wait = waits.computeIfAbsent(claim, c -> after(0));
    long left = wait.until() - time.nanos();
    if (left > 0) {
      return new Outcome.CheckAgain(Duration.ofNanos(left));
    }
    return switch (storage.fit(order)) {
      case ENOUGH, UNKNOWN -> select(order.claim(), wait);
      case NOT_ENOUGH, NOT_ALLOWED, NOT_NOW -> later(claim, wait);
      case UNANSWERED ->
          new Outcome.Unanswered(
              "whether node "
                  + instance.node()
                  + " has capacity for claim "
                  + order.claim().key()
                  + " is unknown: the API server did not answer");
    };
  }

  private Outcome select(Claim claim, Wait wait) throws InterruptedException {
    WriteResult<Claim> selected =
        writer.patch(
            Kind.CLAIM,
            claim.key(),
            Document.patchOf(claim.meta())
                .set(instance.node(), "metadata", "annotations", ClaimRules.SELECTED_NODE));
    if (selected instanceof WriteResult.Conflict<Claim>) {
      return later(claim.meta().uid(), wait); // another node was probably selected
    }
    forget(claim.meta().uid());
    return Outcome.after("selecting node " + instance.node() + " for " + claim.key(), selected);
  }

  private Outcome later(Uid claim, Wait wait) {
    Wait next = after(wait.before() + 1);
    waits.put(claim, next);
    long left = next.until() - time.nanos();
    return new Outcome.CheckAgain(Duration.ofNanos(Math.max(1, left)));
  }

  private Wait after(int before) {
    Duration delay = NodeRules.delay(instance, before, chance.getAsDouble());
    return new Wait(before, time.nanos() + delay.toNanos());
  }
}
