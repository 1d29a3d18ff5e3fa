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

/** Tells claims what is done for them, in the sidecars' words. Thread-safe. */
public final class DriverReporter {
  private static final System.Logger LOG = System.getLogger(DriverReporter.class.getName());

  private final EventSink events;
  private final String resizer;
  private final String monitor;
  private volatile String said = ""; // of snapshots

  /** Tells there, of that driver. */
  public DriverReporter(EventSink events, String driver) {
    this.events = events;
    this.monitor = "csi-pv-monitor-controller/" + driver;
    this.resizer =
        "external-resizer/" + driver; // a qualified name, or the server refuses the event
  }

  void leftToPopulator(Claim claim, String note) {
    tell(claim, ClusterEvent.Type.NORMAL, "Provisioning", note, "external-provisioner");
  }

  /** Its administrator has to change something, some day. */
  void deprecated(StorageClass storageClass, Map<String, String> names) {
    names.forEach((old, now) ->
        LOG.log(
            Level.WARNING,
            () ->
                "class "
                    + storageClass.meta().name()
                    + ": its parameter \""
                    + old
                    + "\" is deprecated, please use \""
                    + now
                    + "\" instead"));
  }

  /** Its administrator may want to; once, as long as nothing else is to be said. */
  void snapshotsNotHeld(String note) {
    if (!note.equals(said)) {
      said = note;
      LOG.log(Level.INFO, note);
    }
  }

  void resizes(Claim claim, Volume volume) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        "Resizing",
        "External resizer is resizing volume " + volume.meta().name(),
        resizer);
  }

  void notResized(Claim claim, String note) {
    tell(claim, ClusterEvent.Type.WARNING, "VolumeResizeFailed", note, resizer);
  }

  void resized(Claim claim, boolean nodeHasTo) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        nodeHasTo ? "FileSystemResizeRequired" : "VolumeResizeSuccessful",
        nodeHasTo ? "Require file system resize of volume on node" : "Resize volume succeeded",
        resizer);
  }

  void modifies(Claim claim, String target) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        "VolumeModify",
        "external resizer is modifying volume " + claim.key().name() + " with vac " + target,
        resizer);
  }

  void modified(Claim claim, String target) {
    tell(
        claim,
        ClusterEvent.Type.NORMAL,
        "VolumeModifySuccessful",
        "external resizer modified volume "
            + claim.key().name()
            + " with vac "
            + target
            + " successfully",
        resizer);
  }

  void notModified(Claim claim, String note) {
    tell(claim, ClusterEvent.Type.WARNING, "VolumeModifyFailed", note, resizer);
  }

  void notModifiedAfterAll(Claim claim) {
    tell(claim, ClusterEvent.Type.NORMAL, "VolumeModifyCanceled", "Cancelled modify.", resizer);
  }

  /** In what condition its volume is. */
  public void health(Claim claim, VolumeHealth.Report report) {
    tell(
        claim,
        report.warning() ? ClusterEvent.Type.WARNING : ClusterEvent.Type.NORMAL,
        report.reason(),
        report.note(),
        monitor);
  }

  private void tell(
      Claim claim, ClusterEvent.Type type, String reason, String note, String reporter) {
    events.tell(new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, reason, note, reporter));
  }
}
