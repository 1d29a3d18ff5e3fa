package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LiveNode;
import dev.mooring.attachdetach.decide.OutOfServiceCheck;
import dev.mooring.attachdetach.decide.OutOfServiceMark;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.Fact;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes, and writes out-of-service taints. Each patch carries the uid and version of the
 * judged node. Thread-safe; blocks.
 */
public record OutOfServiceTaints(ClusterPorts ports, OutOfServiceReporter reporter) {
  public Fact<LiveNode> read(ObjectKey node) throws InterruptedException {
    return ports.reader().readWhole(Kind.NODE, node).map(n -> LiveNode.of(node, n)).fact();
  }

  public Outcome addTaint(LiveNode node, OutOfServiceMark mark) throws InterruptedException {
    WriteResult<Node> result =
        patch(node, mark.text(), createPatch(node, OutOfServiceCheck.addTaint(node)));
    if (result instanceof WriteResult.Written<Node>) {
      reporter.reportAdded(node, mark);
    }
    return Outcome.ofWrite("add the out-of-service taint", result);
  }

  public Outcome removeTaint(LiveNode node, OutOfServiceMark mark) throws InterruptedException {
    WriteResult<Node> result =
        patch(node, null, createPatch(node, OutOfServiceCheck.removeTaint(node)));
    if (result instanceof WriteResult.Written<Node>) {
      reporter.reportRemoved(node, mark);
    }
    return Outcome.ofWrite("remove the out-of-service taint", result);
  }

  public Outcome removeMark(LiveNode node) throws InterruptedException {
    return Outcome.ofWrite(
        "remove the annotation " + OutOfServiceMark.ANNOTATION,
        patch(node, null, Document.patchOf(node.meta())));
  }

  private static Document createPatch(LiveNode node, List<Map<?, ?>> taints) {
    return Document.patchOf(node.meta()).set(taints.isEmpty() ? null : taints, "spec", "taints");
  }

  private WriteResult<Node> patch(LiveNode node, @Nullable String mark, Document patch)
      throws InterruptedException {
    return ports
        .writer()
        .patch(
            Kind.NODE,
            node.meta().key(),
            patch.set(mark, "metadata", "annotations", OutOfServiceMark.ANNOTATION));
  }
}
