package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LiveNode;
import dev.mooring.attachdetach.decide.OutOfServiceCheck;
import dev.mooring.attachdetach.decide.OutOfServiceCheck.Death;
import dev.mooring.attachdetach.decide.OutOfServiceMark;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Kind;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;

/**
 * Reports out-of-service taints in logs and events. Thread-safe.
 *
 * @param controller name of the controller in events
 */
public record OutOfServiceReporter(EventSink events, String controller) {
  private static final System.Logger LOG = System.getLogger(OutOfServiceReporter.class.getName());
  private static final String KEPT = "OutOfServiceTaintKept";

  void reportAdded(LiveNode node, OutOfServiceMark mark) {
    LOG.log(
        Level.WARNING,
        LogMessage.of(
                "the node is off: added its out-of-service taint; Kubernetes detaches its volumes")
            .with(LogMessage.NODE, node.meta().name())
            .with("plugin", mark.plugin())
            .with("evidence", mark.evidence()));
    emit(
        node,
        ClusterEvent.Type.WARNING,
        "OutOfServiceTaintAdded",
        "Plugin %s proved that the node is off: %s. The taint %s was added, so that Kubernetes detaches the node's volumes at once. It is removed after the node's next start"
            .formatted(mark.plugin(), mark.evidence(), OutOfServiceCheck.TAINT));
  }

  void reportRemoved(LiveNode node, OutOfServiceMark mark) {
    LOG.log(
        Level.INFO,
        LogMessage.of("the node started again: removed its out-of-service taint")
            .with(LogMessage.NODE, node.meta().name()));
    emit(
        node,
        ClusterEvent.Type.NORMAL,
        "OutOfServiceTaintRemoved",
        "The node started again. Mooring removed the taint %s that it added at %s"
            .formatted(OutOfServiceCheck.TAINT, mark.time()));
  }

  public void reportKept(LiveNode node) {
    LOG.log(
        Level.WARNING,
        LogMessage.of("the node is ready without a restart: its out-of-service taint stays")
            .with(LogMessage.NODE, node.meta().name()));
    emit(
        node,
        ClusterEvent.Type.WARNING,
        KEPT,
        "The node is ready with the boot id that it had when Mooring added the taint %s: it was not off, and its pods may still write. Restart the node, or remove the taint when its old pods are gone"
            .formatted(OutOfServiceCheck.TAINT));
  }

  public void reportKeptByProof(LiveNode node, Death death) {
    LOG.log(
        Level.WARNING,
        LogMessage.of(
                "the node started again, and a plugin reports it as off: its out-of-service taint stays")
            .with(LogMessage.NODE, node.meta().name())
            .with("plugin", death.plugin())
            .with("evidence", death.evidence()));
    emit(
        node,
        ClusterEvent.Type.WARNING,
        KEPT,
        "The node started again, but plugin %s still proves that it is off, so that the taint %s stays. Check what the plugin reads, or remove the taint when the node's old pods are gone. Proof: %s"
            .formatted(death.plugin(), OutOfServiceCheck.TAINT, death.evidence()));
  }

  public void reportKeptUnmarked(LiveNode node) {
    LOG.log(
        Level.WARNING,
        LogMessage.of("the node lost the annotation of its out-of-service taint: the taint stays")
            .with(LogMessage.NODE, node.meta().name()));
    emit(
        node,
        ClusterEvent.Type.WARNING,
        KEPT,
        "The annotation %s is missing or invalid, so Mooring cannot determine whether the node has restarted since the taint %s was added, and keeps the taint. Remove the taint when the node's old pods are gone"
            .formatted(OutOfServiceMark.ANNOTATION, OutOfServiceCheck.TAINT));
  }

  private void emit(LiveNode node, ClusterEvent.Type type, String reason, String note) {
    events.emit(
        new ClusterEvent(Kind.NODE, node.meta(), type, reason, "OutOfService", note, controller));
  }
}
