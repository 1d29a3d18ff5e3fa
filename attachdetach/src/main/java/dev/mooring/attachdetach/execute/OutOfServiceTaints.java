package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LiveNode;
import dev.mooring.attachdetach.decide.OutOfServiceCheck;
import dev.mooring.attachdetach.decide.OutOfServiceMark;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.Fact;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.text.LogMessage;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes, and writes and reports out-of-service taints. Each patch carries the uid and version
 * of the judged node. Thread-safe; blocks.
 *
 * @param reporter name of the controller in events
 */
public record OutOfServiceTaints(ClusterPorts ports, String reporter) {
  private static final System.Logger LOG = System.getLogger(OutOfServiceTaints.class.getName());

  public Fact<LiveNode> read(ObjectKey node) throws InterruptedException {
    return ports.reader().readWhole(Kind.NODE, node).map(n -> LiveNode.of(node, n)).fact();
  }

  public Outcome addTaint(LiveNode node, OutOfServiceMark mark) throws InterruptedException {
    WriteResult<Node> result =
        patch(node, mark.text(), createPatch(node, OutOfServiceCheck.addTaint(node)));
    if (result instanceof WriteResult.Written<Node>) {
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
    return Outcome.ofWrite("add the out-of-service taint", result);
  }

  public Outcome removeTaint(LiveNode node, OutOfServiceMark mark) throws InterruptedException {
    WriteResult<Node> result =
        patch(node, null, createPatch(node, OutOfServiceCheck.removeTaint(node)));
    if (result instanceof WriteResult.Written<Node>) {
      LOG.log(
          Level.INFO,
          LogMessage.of("the node started again: removed its out-of-service taint")
              .with(LogMessage.NODE, node.meta().name()));
      emit(
          node,
          ClusterEvent.Type.NORMAL,
          "OutOfServiceTaintRemoved",
          "The node started again. The taint %s of %s was removed"
              .formatted(OutOfServiceCheck.TAINT, mark.time()));
    }
    return Outcome.ofWrite("remove the out-of-service taint", result);
  }

  public Outcome removeMark(LiveNode node) throws InterruptedException {
    return Outcome.ofWrite(
        "remove the annotation " + OutOfServiceMark.KEY.text(),
        patch(node, null, Document.patchOf(node.meta())));
  }

  public void reportKept(LiveNode node) {
    LOG.log(
        Level.WARNING,
        LogMessage.of("the node is ready without a restart: its out-of-service taint stays")
            .with(LogMessage.NODE, node.meta().name()));
    emit(
        node,
        ClusterEvent.Type.WARNING,
        "OutOfServiceTaintKept",
        "The node is ready, but its boot id is that of the time of the taint %s: it was not off, and its pods may still write. Restart the node, or remove the taint when its old pods are gone"
            .formatted(OutOfServiceCheck.TAINT));
  }

  private static Document createPatch(LiveNode node, List<Map<String, Object>> taints) {
    return Document.patchOf(node.meta()).set(taints.isEmpty() ? null : taints, "spec", "taints");
  }

  private WriteResult<Node> patch(LiveNode node, @Nullable String mark, Document patch)
      throws InterruptedException {
    return ports
        .writer()
        .patch(
            Kind.NODE,
            node.meta().key(),
            patch.set(mark, "metadata", "annotations", OutOfServiceMark.KEY.text()));
  }

  private void emit(LiveNode node, ClusterEvent.Type type, String reason, String note) {
    ports
        .events()
        .emit(
            new ClusterEvent(Kind.NODE, node.meta(), type, reason, "OutOfService", note, reporter));
  }
}
