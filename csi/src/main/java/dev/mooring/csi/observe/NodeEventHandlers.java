package dev.mooring.csi.observe;

import dev.mooring.informer.Change;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.WorkQueue;

/** Requeues nodes that become ready or unready, appear or vanish. */
public record NodeEventHandlers(WorkQueue<ObjectKey> queue) {
  public void nodeChanged(Change<Node> change) {
    if (!(change instanceof Change.Updated<Node>(Node old, Node current))
        || old.isReady() != current.isReady()) {
      queue.add(change.key());
    }
  }
}
