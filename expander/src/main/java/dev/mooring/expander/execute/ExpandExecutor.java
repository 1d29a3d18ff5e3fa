package dev.mooring.expander.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.WriteResult;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells who grows a volume, and marks claims for them. Thread-safe. */
public final class ExpandExecutor {
  /** The reporting component's name. */
  public static final String REPORTER = "volume_expand";

  private static final String RESIZER = "volume.kubernetes.io/storage-resizer";

  private final ClusterWriter writer;
  private final EventSink events;
  private final Map<ObjectKey, String> told = new ConcurrentHashMap<>();

  /** Writes and tells there. */
  public ExpandExecutor(ClusterWriter writer, EventSink events) {
    this.writer = writer;
    this.events = events;
  }

  /** The claim is gone: what was told of it too. */
  public void forget(ObjectKey claim) {
    told.remove(claim);
  }

  /** Does what was decided. */
  public Outcome execute(Claim claim, ExpandDecision decision) throws InterruptedException {
    return switch (decision) {
      case ExpandDecision.Nothing() -> {
        told.remove(claim.key());
        yield Outcome.SETTLED;
      }
      case ExpandDecision.NotBound(String why) -> new Outcome.Retry(new Failure.Rejected(why));
      case ExpandDecision.LeaveToOthers() -> {
        tell(claim, "waiting for an external controller to expand this PVC");
        yield Outcome.SETTLED;
      }
      case ExpandDecision.HandOver(String plugin, String driver) -> {
        tell(
            claim,
            "CSI migration enabled for "
                + plugin
                + "; waiting for external resizer to expand the pvc");
        yield mark(claim, driver);
      }
    };
  }

  private Outcome mark(Claim claim, String driver) throws InterruptedException {
    if (claim.meta().annotation(RESIZER).equals(driver)) {
      return Outcome.SETTLED;
    }
    Document patch = Document.patchOf(claim.meta()).set(driver, "metadata", "annotations", RESIZER);
    String what = "marking claim " + claim.key() + " for " + driver;
    return switch (writer.patchStatus(Kind.CLAIM, claim.key(), patch)) {
      case WriteResult.Written<Claim> _ -> Outcome.SETTLED;
      case WriteResult.Conflict<Claim>(String message) ->
          new Outcome.Conflicted(what + ": " + message);
      case WriteResult.Gone<Claim> _ -> Outcome.SETTLED;
      case WriteResult.Rejected<Claim>(int code, String message) ->
          new Outcome.Retry(
              new Failure.Rejected(what + ": the server refused (" + code + "): " + message));
      case WriteResult.Unreachable<Claim>(String message) ->
          new Outcome.Retry(new Failure.Uncertain(what + ": " + message));
    };
  }

  /** Once per size that is asked for. */
  private void tell(Claim claim, String note) {
    String news = claim.meta().uid() + " " + claim.request() + " " + note;
    if (!news.equals(told.put(claim.key(), news))) {
      events.tell(
          new ClusterEvent(
              Kind.CLAIM,
              claim.meta(),
              ClusterEvent.Type.NORMAL,
              "ExternalExpanding",
              "Expanding",
              note,
              REPORTER));
    }
  }
}
