package dev.mooring.populator.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.ReportedNotes;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.populator.decide.PopulationReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Emits events of claims. Reasons that Kubernetes' populator library and validator have keep their
 * names. A repeated cause is reported once. Thread-safe.
 */
public final class PopulationReporter {
  static final String SOURCE_NOT_FOUND = "PopulatorDataSourceNotFound";
  static final String CALL_FAILED = "PopulateOperationFailed";
  static final String POD_REFUSED = "PopulatorCreationError";
  private static final String POD_CREATED = "PopulatorCreated";
  private static final String POD_FAILED = "PopulatorFailed";
  private static final String PRIME_REFUSED = "PopulatorPVCPrimeCreationError";
  private static final String FINISHED = "PopulatorFinished";

  private static final Logger LOG = System.getLogger(PopulationReporter.class.getName());

  private final EventSink events;
  private final String reporter;
  private final ReportedNotes<Uid> reported = new ReportedNotes<>();
  private volatile String lastFailure = "";

  public PopulationReporter(EventSink events, String reporter) {
    this.events = events;
    this.reporter = reporter;
  }

  public void forget(Uid claim) {
    reported.forget(claim);
  }

  public void reportWait(Claim claim, PopulationReason reason, String message) {
    reportOnce(claim, reason.code(), reason.meaning() + ": " + message);
  }

  public void reportUnknownKind(Claim claim, String kind) {
    PopulationReason reason = PopulationReason.UNRECOGNIZED_DATA_SOURCE_KIND;
    reportOnce(
        claim,
        reason.code(),
        "no VolumePopulator registers kind %s of the claim's data source: %s"
            .formatted(kind, reason.remedy()));
  }

  public void logUncheckedKinds(String failure) {
    if (!failure.equals(lastFailure)) {
      LOG.log(
          Level.INFO,
          () -> "cannot check the kinds of claims' data sources: " + failure + "; retrying");
    }
    lastFailure = failure;
  }

  void reportFailedCall(Claim claim, String reason, String message) {
    reportOnce(claim, reason, message + "; the next attempt follows after a back-off");
  }

  void reportRefusedPrime(Claim claim, String message) {
    reportOnce(
        claim,
        PRIME_REFUSED,
        "the prime claim cannot be created: %s. Check the namespace of --populator-namespace, its quotas and Mooring's rights in it"
            .formatted(message));
  }

  void reportRefusedPod(Claim claim, String message) {
    reportOnce(
        claim,
        POD_REFUSED,
        "the populator pod cannot be created: %s. Check the namespace of --populator-namespace, its quotas, its Pod Security level and Mooring's rights in it"
            .formatted(message));
  }

  void reportPod(Claim claim, String pod) {
    reported.forget(claim.meta().uid());
    emit(claim, Type.NORMAL, POD_CREATED, "Populator started: pod " + pod);
  }

  void reportFailedPod(Claim claim, String pod, String failure) {
    emit(
        claim,
        Type.WARNING,
        POD_FAILED,
        "populator pod %s failed%s; Mooring deletes it, and another one follows after a back-off. See its log and the data source"
            .formatted(pod, failure.isEmpty() ? "" : ": " + failure));
  }

  void reportEnd(Claim claim) {
    emit(claim, Type.NORMAL, FINISHED, "Populator finished: the claim has the filled volume");
  }

  private void reportOnce(Claim claim, String reason, String message) {
    if (reported.isNew(claim.meta().uid(), reason + ": " + message)) {
      events.emit(
          createEvent(claim, Type.WARNING, reason, message),
          () -> reported.forget(claim.meta().uid()));
    }
  }

  private void emit(Claim claim, Type type, String reason, String message) {
    events.emit(createEvent(claim, type, reason, message));
  }

  private ClusterEvent createEvent(Claim claim, Type type, String reason, String message) {
    return new ClusterEvent(
        Kind.CLAIM, claim.meta(), type, reason, "Populating", message, reporter);
  }
}
