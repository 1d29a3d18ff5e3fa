package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.binder.state.EventMemory.PendingEvent;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.DelayReporter;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.text.LogMessage;
import dev.mooring.text.PlainText;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reports the binder's actions in the log and as events: once per change, however often the
 * decision repeats. All logs and events of {@code execute} come from here. Thread-safe.
 */
public final class BinderReporter implements DelayReporter {
  /** Name of the reporting component, which alerts and dashboards filter by. */
  public static final String REPORTER = "persistentvolume-controller";

  private static final System.Logger LOG = System.getLogger(BinderReporter.class.getName());

  private final EventSink events;
  private final EventStyle style;
  private final boolean keepsTexts;
  private final EventMemory memory;

  /**
   * Creates the reporter.
   *
   * @param keepsTexts whether the condition of a claim repeats its last event
   */
  public BinderReporter(
      EventSink events, EventMemory memory, EventStyle style, boolean keepsTexts) {
    this.events = events;
    this.memory = memory;
    this.style = style;
    this.keepsTexts = keepsTexts;
  }

  private static LogMessage message(String text, Kind<?> kind, Meta object) {
    return LogMessage.of(text)
        .with(kind.equals(Kind.CLAIM) ? LogMessage.PVC : LogMessage.PV, object.key());
  }

  private static LogMessage message(String text, Volume volume) {
    return message(text, Kind.VOLUME, volume.meta());
  }

  boolean keepsTexts() {
    return keepsTexts;
  }

  private void emit(Claim object, Reason reason, String action, String message) {
    emit(new PendingEvent(Kind.CLAIM, object.meta(), reason, action, message), () -> "");
  }

  private void emit(Volume object, Reason reason, String action, String message) {
    emit(new PendingEvent(Kind.VOLUME, object.meta(), reason, action, message), () -> "");
  }

  private void emit(PendingEvent pendingEvent, Supplier<String> details) {
    if (pendingEvent.reason() != Reason.SILENT) {
      memory
          .findDueEvent(pendingEvent, details)
          .ifPresent(dueEvent -> emit(pendingEvent, dueEvent));
    }
  }

  private void emit(PendingEvent pendingEvent, EventMemory.DueEvent dueEvent) {
    Kind<?> kind = pendingEvent.kind();
    Meta object = pendingEvent.object();
    Reason reason = pendingEvent.reason();
    String fullMessage =
        PlainText.filter(style.fullMessage(reason, pendingEvent.message(), dueEvent.details()));
    if (keepsTexts && dueEvent.lastReason() != reason && kind.equals(Kind.CLAIM)) {
      memory.keepText(object, fullMessage);
    }
    if (dueEvent.isNew()) {
      LOG.log(
          reason.isWarning() ? Level.WARNING : Level.INFO,
          message(fullMessage, kind, object).with(LogMessage.REASON, reason.event()));
    }
    Type type = reason.isWarning() ? Type.WARNING : Type.NORMAL;
    events.emit(
        new ClusterEvent(
            kind, object, type, reason.event(), pendingEvent.action(), fullMessage, REPORTER),
        () -> memory.recordSendFailure(pendingEvent, dueEvent.event()));
  }

  private void emitSuccess(
      Kind<?> kind, Meta object, String reason, String action, String message) {
    if (memory.recordSuccess(kind, object, reason + " " + message)) {
      LOG.log(Level.INFO, message(message, kind, object).with(LogMessage.REASON, reason));
      events.emit(new ClusterEvent(kind, object, Type.NORMAL, reason, action, message, REPORTER));
    }
  }

  void reportWaiting(Claim claim, Reason reason, String message, Supplier<String> nearest) {
    emit(
        new PendingEvent(Kind.CLAIM, claim.meta(), reason, "Binding", message),
        () -> style.describeNearest(reason, nearest));
  }

  // the API server rejects the binding. Kubernetes only logs this
  void reportRejection(Claim claim, String message) {
    if (style.emitsMoreThanKubernetes()) {
      emit(claim, Reason.WRITE_REFUSED, "Binding", message);
    }
  }

  void reportBound(Claim claim, Volume volume) {
    memory.forgetSettled(claim.meta());
    LOG.log(
        Level.INFO,
        message("bound the claim", Kind.CLAIM, claim.meta())
            .with(LogMessage.PV, volume.meta().name())
            .with("capacity", volume.storage())
            .with("request", claim.request()));
  }

  void reportHandOver(Claim claim, String provisioner) {
    emit(
        claim,
        Reason.EXTERNAL_PROVISIONER,
        "Provisioning",
        "Waiting for a volume to be created either by the external provisioner '"
            + provisioner
            + "' or manually by the system administrator. If volume creation is delayed, please"
            + " verify that the provisioner is running and correctly registered.");
  }

  void reportProvisioned(Claim claim, String volume, String plugin) {
    emitSuccess(
        Kind.CLAIM,
        claim.meta(),
        "ProvisioningSucceeded",
        "Provisioning",
        "Successfully provisioned volume " + volume + " using " + plugin);
  }

  void reportProvisioningFailure(Claim claim, Reason reason, String message) {
    emit(claim, reason, "Provisioning", message);
  }

  // Kubernetes emits no event
  void reportTakenName(Claim claim, SavedVerdict.NameTaken nameTaken) {
    if (style.emitsMoreThanKubernetes()) {
      reportProvisioningFailure(
          claim, Reason.VOLUME_NAME_TAKEN, nameTaken.describe(claim.meta().key().namespace()));
    }
  }

  void reportCleanupFailure(Claim claim, String message) {
    emit(claim, Reason.CLEAN_UP_FAILED, "Provisioning", message);
  }

  void reportModeMismatch(Volume volume, Claim claim) {
    emit(
        volume,
        Reason.VOLUME_MODE_DIFFERS,
        "Binding",
        "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
            + claim.meta().name()
            + "\" due to incompatible volumeMode.");
    emit(
        claim,
        Reason.VOLUME_MODE_DIFFERS,
        "Binding",
        "Cannot bind PersistentVolume \""
            + volume.meta().name()
            + "\" to requested PersistentVolumeClaim due to incompatible volumeMode.");
  }

  void reportReleased(Volume volume) {
    ClaimRef claim = volume.claimRef();
    LOG.log(
        Level.INFO,
        message("released the volume, because its claim is gone", volume)
            .with(LogMessage.PVC, claim == null ? "" : claim.claim()));
  }

  void reportDeletionFailure(Volume volume, Reason reason, String message) {
    emitFailure(volume, reason, "Deleting", message);
  }

  String reportTwin(Volume volume, String action, Volume twin) {
    String message = "volume " + twin.meta().name() + " refers to the same storage";
    emitFailure(volume, Reason.TWIN_EXISTS, action, message);
    return message;
  }

  // Kubernetes emits no event for a volume whose phase is already Failed
  private void emitFailure(Volume volume, Reason reason, String action, String message) {
    if (style.emitsFailureOf(volume)) {
      emit(volume, reason, action, message);
    }
  }

  void reportDelayedDeletion(Volume volume, String message) {
    emit(volume, Reason.DELETE_WAITS, "Deleting", message);
  }

  void reportHeldDeletion(Volume volume, String message) {
    emit(volume, Reason.DELETIONS_HELD, "Deleting", message);
  }

  @Override
  public void reportCondemned(Volume volume, String message) {
    emit(volume, Reason.CONDEMNED, "Deleting", message);
  }

  @Override
  public void reportUnreadableDelay(Volume volume, String message) {
    emit(volume, Reason.DELAY_UNREADABLE, "Deleting", message);
  }

  void reportKept(Volume volume, Reason reason, String message) {
    emit(volume, reason, "Reclaiming", message);
  }

  void reportDeleted(Volume volume) {
    LOG.log(Level.INFO, message("deleted the volume and its storage", volume));
  }

  void reportSpared(Volume volume, String reason) {
    LOG.log(Level.INFO, message("kept the storage: " + reason, volume));
  }

  void reportUnknownPolicy(Volume volume) {
    emit(
        volume,
        Reason.POLICY_UNKNOWN,
        "Reclaiming",
        "Volume has unrecognized PersistentVolumeReclaimPolicy");
  }

  void reportPodsInUse(Volume volume, List<ObjectKey> pods) {
    emit(
        volume,
        Reason.RECYCLE_WAITS,
        "Recycling",
        "Volume is used by pods: "
            + String.join(",", pods.stream().map(ObjectKey::toString).toList()));
  }

  void reportRecyclingFailure(Volume volume, Reason reason, String message) {
    emitFailure(volume, reason, "Recycling", message);
  }

  void reportScrubbing(Volume volume, ObjectKey pod) {
    LOG.log(Level.INFO, message("started a pod that scrubs the volume", volume).with("pod", pod));
  }

  void emitRecyclerEvent(Volume volume, Type type, String message) {
    events.emit(
        new ClusterEvent(
            Kind.VOLUME,
            volume.meta(),
            type,
            "RecyclerPod",
            "Recycling",
            "Recycler pod: " + message,
            REPORTER));
  }

  void logUnreadableEvents(ObjectKey pod, String message) {
    LOG.log(Level.DEBUG, () -> "events of pod " + pod + ": " + message);
  }

  void reportRecycled(Volume volume) {
    emitSuccess(Kind.VOLUME, volume.meta(), "VolumeRecycled", "Recycling", "Volume recycled");
  }
}
