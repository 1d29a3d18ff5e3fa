package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.binder.state.EventMemory.PendingEvent;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.text.PlainText;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reports the binder's actions in the log and as events: once per change, however often the
 * decision repeats. All logs and events of {@code execute} come from here. Thread-safe.
 */
public final class BinderReporter {
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

  boolean keepsTexts() {
    return keepsTexts;
  }

  private void emit(Claim about, Reason why, String action, String note) {
    emit(new PendingEvent(Kind.CLAIM, about.meta(), why, action, note), () -> "");
  }

  private void emit(Volume about, Reason why, String action, String note) {
    emit(new PendingEvent(Kind.VOLUME, about.meta(), why, action, note), () -> "");
  }

  private void emit(PendingEvent statement, Supplier<String> details) {
    if (statement.why() != Reason.SILENT) {
      memory.due(statement, details).ifPresent(due -> emit(statement, due));
    }
  }

  private void emit(PendingEvent statement, EventMemory.DueEvent due) {
    Kind<?> kind = statement.kind();
    Meta about = statement.about();
    Reason why = statement.why();
    String full = PlainText.of(style.fullNote(why, statement.note(), due.details()));
    if (keepsTexts && due.before() != why && kind.equals(Kind.CLAIM)) {
      memory.keepText(about, full);
    }
    if (due.isNew()) {
      LOG.log(
          why.warning() ? Level.WARNING : Level.INFO,
          () -> kind + " " + about.key() + ": " + why.event() + ": " + full);
    }
    Type type = why.warning() ? Type.WARNING : Type.NORMAL;
    events.emit(
        new ClusterEvent(kind, about, type, why.event(), statement.action(), full, REPORTER),
        () -> memory.lost(statement, due.event()));
  }

  private void emitSuccess(Kind<?> kind, Meta about, String reason, String action, String note) {
    if (memory.isNew(kind, about, reason + " " + note)) {
      LOG.log(Level.INFO, () -> kind + " " + about.key() + ": " + reason + ": " + note);
      events.emit(new ClusterEvent(kind, about, Type.NORMAL, reason, action, note, REPORTER));
    }
  }

  void waiting(Claim claim, Reason why, String note, Supplier<String> nearest) {
    emit(
        new PendingEvent(Kind.CLAIM, claim.meta(), why, "Binding", note),
        () -> style.nearestDetails(why, nearest));
  }

  // the API server rejects the binding. Kubernetes only logs this
  void refused(Claim claim, String note) {
    if (style.emitsMoreThanKubernetes()) {
      emit(claim, Reason.WRITE_REFUSED, "Binding", note);
    }
  }

  void bound(Claim claim, Volume volume) {
    memory.settled(claim.meta());
    LOG.log(
        Level.INFO,
        () ->
            "claim "
                + claim.key()
                + " is bound to volume "
                + volume.meta().name()
                + " ("
                + volume.storage()
                + " for "
                + claim.request()
                + ")");
  }

  void handedOver(Claim claim, String provisioner) {
    emit(
        claim,
        Reason.EXTERNAL_PROVISIONER,
        "Provisioning",
        "Waiting for a volume to be created either by the external provisioner '"
            + provisioner
            + "' or manually by the system administrator. If volume creation is delayed, please"
            + " verify that the provisioner is running and correctly registered.");
  }

  void provisioned(Claim claim, String volume, String plugin) {
    emitSuccess(
        Kind.CLAIM,
        claim.meta(),
        "ProvisioningSucceeded",
        "Provisioning",
        "Successfully provisioned volume " + volume + " using " + plugin);
  }

  void provisioningFailed(Claim claim, Reason why, String note) {
    emit(claim, why, "Provisioning", note);
  }

  // Kubernetes emits no event
  void nameTaken(Claim claim, SavedVerdict.NameTaken taken) {
    if (style.emitsMoreThanKubernetes()) {
      provisioningFailed(
          claim, Reason.VOLUME_NAME_TAKEN, taken.note(claim.meta().key().namespace()));
    }
  }

  void cleanupFailed(Claim claim, String note) {
    emit(claim, Reason.CLEAN_UP_FAILED, "Provisioning", note);
  }

  void modeMismatch(Volume volume, Claim claim) {
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

  void released(Volume volume) {
    LOG.log(
        Level.INFO,
        () ->
            "volume "
                + volume.meta().name()
                + " is released: its claim "
                + volume.claimRef()
                + " is gone");
  }

  void deleteFailed(Volume volume, Reason why, String note) {
    failed(volume, why, "Deleting", note);
  }

  String hasTwin(Volume volume, String action, Volume twin) {
    String note = "volume " + twin.meta().name() + " refers to the same storage";
    failed(volume, Reason.TWIN_EXISTS, action, note);
    return note;
  }

  // Kubernetes emits no event for a volume whose phase is already Failed
  private void failed(Volume volume, Reason why, String action, String note) {
    if (style.emitsFailureOf(volume)) {
      emit(volume, why, action, note);
    }
  }

  void deleteDelayed(Volume volume, String note) {
    emit(volume, Reason.DELETE_WAITS, "Deleting", note);
  }

  void held(Volume volume, String note) {
    emit(volume, Reason.DELETIONS_HELD, "Deleting", note);
  }

  void kept(Volume volume, Reason why, String note) {
    emit(volume, why, "Reclaiming", note);
  }

  void deleted(Volume volume) {
    LOG.log(Level.INFO, () -> "volume " + volume.meta().name() + " and its storage are deleted");
  }

  void spared(Volume volume, String why) {
    LOG.log(Level.INFO, () -> "volume " + volume.meta().name() + " is not destroyed: " + why);
  }

  void unknownPolicy(Volume volume) {
    emit(
        volume,
        Reason.POLICY_UNKNOWN,
        "Reclaiming",
        "Volume has unrecognized PersistentVolumeReclaimPolicy");
  }

  void notRecycledYet(Volume volume, List<ObjectKey> pods) {
    emit(
        volume,
        Reason.RECYCLE_WAITS,
        "Recycling",
        "Volume is used by pods: "
            + String.join(",", pods.stream().map(ObjectKey::toString).toList()));
  }

  void recycleFailed(Volume volume, Reason why, String note) {
    failed(volume, why, "Recycling", note);
  }

  void recycling(Volume volume, ObjectKey pod) {
    LOG.log(Level.INFO, () -> "volume " + volume.meta().name() + " is scrubbed by pod " + pod);
  }

  void recyclerEvent(Volume volume, Type type, String note) {
    events.emit(
        new ClusterEvent(
            Kind.VOLUME,
            volume.meta(),
            type,
            "RecyclerPod",
            "Recycling",
            "Recycler pod: " + note,
            REPORTER));
  }

  void recyclerEventsUnreadable(ObjectKey pod, String why) {
    LOG.log(Level.DEBUG, () -> "events of pod " + pod + ": " + why);
  }

  void recycled(Volume volume) {
    emitSuccess(Kind.VOLUME, volume.meta(), "VolumeRecycled", "Recycling", "Volume recycled");
  }
}
