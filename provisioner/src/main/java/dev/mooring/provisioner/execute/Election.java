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
 * Finds the node that makes a claim's volume, where nobody selects one: the first that writes
 * itself onto the claim. Each waits for a while of its own, and stands only if it has room. Who
 * lost sees so on the claim. Thread-safe.
 */
public final class Election {
  private final NodeRules.Instance instance;
  private final NodeStorage storage;
  private final ClusterWriter writer;
  private final Time time;
  private final DoubleSupplier chance;
  private final Map<Uid, Wait> waits = new ConcurrentHashMap<>();

  /** How often it was tried, and when it is next. */
  private record Wait(int before, long until) {}

  /**
   * Stands for nothing yet.
   *
   * @param chance from 0 to 1
   */
  public Election(
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

  /** Nothing is to be decided about the claim any more. */
  public void forget(Uid claim) {
    waits.remove(claim);
  }

  /** Stands for the order's claim, if its time has come. */
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
                  + " has room for claim "
                  + order.claim().key()
                  + " is unknown: the server did not say what is asked for");
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
      return later(claim.meta().uid(), wait); // most likely somebody else was selected
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
