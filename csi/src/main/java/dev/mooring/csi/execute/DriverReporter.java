package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.lang.System.Logger.Level;
import java.util.Map;

/** Emits events on claims and logs, with the sidecars' reasons and messages. Thread-safe. */
public final class DriverReporter {
  private static final System.Logger LOG = System.getLogger(DriverReporter.class.getName());

  private final EventSink events;
  private final String resizer;
  private final String monitor;
  private volatile String lastSnapshotNote = ""; // last message about snapshots

  public DriverReporter(EventSink events, String driver) {
    this.events = events;
    this.monitor = "csi-pv-monitor-controller/" + driver;
    this.resizer = "external-resizer/" + driver; // a qualified name: the API server refuses others
  }

  void leftToPopulator(Claim claim, String note) {
    emit(claim, ClusterEvent.Type.NORMAL, "Provisioning", note, "external-provisioner");
  }

  // A warning for the class's administrator.
  void deprecated(StorageClass storageClass, Map<String, String> names) {
    names.forEach((old, now) ->
        LOG.log(
            Level.WARNING,
            () ->
                "class %s: parameter \"%s\" is deprecated, please use \"%s\" instead"
                    .formatted(storageClass.meta().name(), old, now)));
  }

  // Logs a message for administrators; repeats it only after another one.
  void snapshotsNotHeld(String note) {
    if (!note.equals(lastSnapshotNote)) {
      lastSnapshotNote = note;
      LOG.log(Level.INFO, note);
    }
  }

  void resizeStarted(Claim claim, Volume volume) {
    normal(claim, "Resizing", "External resizer is resizing volume " + volume.meta().name());
  }

  void resizeFailed(Claim claim, String note) {
    warn(claim, "VolumeResizeFailed", note);
  }

  void resizeSucceeded(Claim claim, boolean needsNode) {
    normal(
        claim,
        needsNode ? "FileSystemResizeRequired" : "VolumeResizeSuccessful",
        needsNode ? "Require file system resize of volume on node" : "Resize volume succeeded");
  }

  void modificationStarted(Claim claim, String target) {
    normal(
        claim,
        "VolumeModify",
        "external resizer is modifying volume " + claim.key().name() + " with vac " + target);
  }

  void modificationSucceeded(Claim claim, String target) {
    normal(
        claim,
        "VolumeModifySuccessful",
        "external resizer modified volume %s with vac %s successfully"
            .formatted(claim.key().name(), target));
  }

  void modificationFailed(Claim claim, String note) {
    warn(claim, "VolumeModifyFailed", note);
  }

  void modificationCancelled(Claim claim) {
    normal(claim, "VolumeModifyCanceled", "Cancelled modify.");
  }

  private void normal(Claim claim, String reason, String note) {
    emit(claim, ClusterEvent.Type.NORMAL, reason, note, resizer);
  }

  private void warn(Claim claim, String reason, String note) {
    emit(claim, ClusterEvent.Type.WARNING, reason, note, resizer);
  }

  public void health(Claim claim, VolumeHealth.HealthEvent report) {
    emit(
        claim,
        report.warning() ? ClusterEvent.Type.WARNING : ClusterEvent.Type.NORMAL,
        report.reason(),
        report.note(),
        monitor);
  }

  private void emit(
      Claim claim, ClusterEvent.Type type, String reason, String note, String reporter) {
    events.emit(new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, reason, note, reporter));
  }
}
