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
  private volatile String lastSnapshotMessage = ""; // last message about snapshots

  public DriverReporter(EventSink events, String driver) {
    this.events = events;
    this.monitor = "csi-pv-monitor-controller/" + driver;
    this.resizer = "external-resizer/" + driver; // a qualified name: the API server refuses others
  }

  void reportPopulator(Claim claim, String message) {
    emit(claim, ClusterEvent.Type.NORMAL, "Provisioning", message, "external-provisioner");
  }

  // A warning for the class's administrator.
  void warnOfDeprecated(StorageClass storageClass, Map<String, String> replacements) {
    replacements.forEach((oldName, newName) ->
        LOG.log(
            Level.WARNING,
            () ->
                "class %s: parameter \"%s\" is deprecated, please use \"%s\" instead"
                    .formatted(storageClass.meta().name(), oldName, newName)));
  }

  // Logs a message for administrators; repeats it only after another one.
  void logUnprotectedSnapshots(String message) {
    if (!message.equals(lastSnapshotMessage)) {
      lastSnapshotMessage = message;
      LOG.log(Level.INFO, message);
    }
  }

  void resizeStarted(Claim claim, Volume volume) {
    emitNormal(claim, "Resizing", "External resizer is resizing volume " + volume.meta().name());
  }

  void resizeFailed(Claim claim, String message) {
    emitWarning(claim, "VolumeResizeFailed", message);
  }

  void resizeSucceeded(Claim claim, boolean needsNode) {
    emitNormal(
        claim,
        needsNode ? "FileSystemResizeRequired" : "VolumeResizeSuccessful",
        needsNode ? "Require file system resize of volume on node" : "Resize volume succeeded");
  }

  void modificationStarted(Claim claim, String target) {
    emitNormal(
        claim,
        "VolumeModify",
        "external resizer is modifying volume " + claim.key().name() + " with vac " + target);
  }

  void modificationSucceeded(Claim claim, String target) {
    emitNormal(
        claim,
        "VolumeModifySuccessful",
        "external resizer modified volume %s with vac %s successfully"
            .formatted(claim.key().name(), target));
  }

  void modificationFailed(Claim claim, String message) {
    emitWarning(claim, "VolumeModifyFailed", message);
  }

  void modificationCancelled(Claim claim) {
    emitNormal(claim, "VolumeModifyCanceled", "Cancelled modify.");
  }

  private void emitNormal(Claim claim, String reason, String message) {
    emit(claim, ClusterEvent.Type.NORMAL, reason, message, resizer);
  }

  private void emitWarning(Claim claim, String reason, String message) {
    emit(claim, ClusterEvent.Type.WARNING, reason, message, resizer);
  }

  public void emitHealth(Claim claim, VolumeHealth.HealthEvent event) {
    emit(
        claim,
        event.isWarning() ? ClusterEvent.Type.WARNING : ClusterEvent.Type.NORMAL,
        event.reason(),
        event.message(),
        monitor);
  }

  private void emit(
      Claim claim, ClusterEvent.Type type, String reason, String message, String reporter) {
    events.emit(
        new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, reason, message, reporter));
  }
}
