package dev.mooring.expander.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.ReportedNotes;
import dev.mooring.expander.decide.ResizeReason;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;

/** Emits events about expansions. Thread-safe. */
public final class ResizeReporter {
  private static final System.Logger LOG = System.getLogger(ResizeReporter.class.getName());
  private static final String REPORTER = "volume_expand";

  private final EventSink events;
  private final ReportedNotes<ObjectKey> reportedNotes = new ReportedNotes<>();

  public ResizeReporter(EventSink events) {
    this.events = events;
  }

  /** Reports that another component expands the volume: once per requested size. */
  void reportExternalExpansion(Claim claim, String message) {
    String report = claim.meta().uid() + " " + claim.request() + " " + message;
    if (reportedNotes.isNew(claim.key(), report)) {
      emit(claim, ClusterEvent.Type.NORMAL, "ExternalExpanding", message);
    }
  }

  void reportFailure(Claim claim, String message) {
    emit(
        claim,
        ClusterEvent.Type.WARNING,
        ResizeReason.FAILED_EVENT,
        "error expanding pvc " + claim.key() + ": " + message);
  }

  void reportSuccess(Claim claim) {
    emit(
        claim,
        ClusterEvent.Type.NORMAL,
        ResizeReason.DONE_EVENT,
        "ExpandVolume succeeded for volume " + claim.key());
  }

  /** Logs a failed write. No event is emitted, because the write is retried immediately. */
  void logFailedWrite(String action, String result) {
    LOG.log(Level.INFO, LogMessage.of(action + " failed; retrying").with(LogMessage.ERR, result));
  }

  void forget(ObjectKey claim) {
    reportedNotes.forget(claim);
  }

  private void emit(Claim claim, ClusterEvent.Type type, String reason, String message) {
    events.emit(
        new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Expanding", message, REPORTER));
  }
}
