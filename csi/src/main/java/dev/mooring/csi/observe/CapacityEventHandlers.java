package dev.mooring.csi.observe;

import dev.mooring.csi.decide.CapacityObjects;
import dev.mooring.csi.decide.CapacityObjects.CapacityChange;
import dev.mooring.csi.decide.CapacityObjects.CapacityScope;
import dev.mooring.csi.state.CapacitySchedule;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.StorageClass;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requeues classes whose capacity has to be read: after changes of nodes and classes, and soon
 * after a volume was created, deleted or refused. Such a change concerns every class, because
 * classes share storage. A key is a class name; "" means the search for deleted classes.
 */
public record CapacityEventHandlers(
    CapacityScope scope,
    Informer<StorageClass> classes,
    DriverNodes nodes,
    CapacitySchedule schedule,
    WorkQueue<String> queue) {
  public static final String ALL_CLASSES = "";
  private static final Duration NODE_CHANGE_DELAY = Duration.ofSeconds(1);
  private static final Duration BATCH_DELAY =
      Duration.ofMillis(100); // collects simultaneous changes

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(classes, nodes.nodes(), nodes.csiNodes())
        .addHandler(classes, this::classChanged)
        .addHandler(nodes.nodes(), this::nodeChanged)
        .addHandler(nodes.csiNodes(), change -> queue.addAfter(ALL_CLASSES, NODE_CHANGE_DELAY));
  }

  public void driverIsReady() {
    queue.add(ALL_CLASSES);
  }

  private void classChanged(Change<StorageClass> change) {
    schedule.markAll(change.key().name());
    queue.add(change.key().name());
  }

  private void nodeChanged(Change<Node> change) {
    if (!(change instanceof Change.Updated<Node>(Node old, Node current))
        || !old.meta().labels().equals(current.meta().labels())) {
      queue.addAfter(ALL_CLASSES, NODE_CHANGE_DELAY);
    }
  }

  public void capacityChanged(CapacityChange change) {
    Optional<Set<Map<String, String>>> segmentsToUpdate =
        CapacityObjects.affectedSegments(change, nodes.byName());
    for (StorageClass storageClass : classes.snapshot().objects()) {
      boolean isAffected =
          !(change instanceof CapacityChange.OfClass(String name))
              || name.equals(storageClass.meta().name());
      if (isAffected && scope.isPublished(storageClass)) {
        schedule.mark(storageClass.meta().name(), segmentsToUpdate);
        queue.addAfter(storageClass.meta().name(), BATCH_DELAY);
      }
    }
  }
}
