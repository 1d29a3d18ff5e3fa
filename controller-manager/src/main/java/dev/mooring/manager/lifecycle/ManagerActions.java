package dev.mooring.manager.lifecycle;

import dev.mooring.audit.AuditSink;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.EventSink;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeEvents;
import dev.mooring.manager.audit.AuditedEvents;
import dev.mooring.manager.audit.AuditedWriter;
import dev.mooring.manager.telemetry.MetricsSource;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Executes or records the actions of a manager's controllers. Thread-safe. */
public interface ManagerActions {
  /** Returns the sink of audit entries. */
  AuditSink sink();

  /** Returns the empty informers of the manager. */
  SharedInformers informers();

  /** Returns the source of a cache: the given one, or one that delivers changes later. */
  default <T extends Resource> ListWatch<T> watching(Kind<T> kind, ListWatch<T> source) {
    return source;
  }

  default MetricsSource metrics() {
    return families -> {};
  }

  /** Returns the comparison of decisions for the console; empty if there is none. */
  default Optional<DecisionComparison> comparison() {
    return Optional.empty();
  }

  ClusterPorts makePorts(KubeCluster cluster, EventSink events, Time time);

  /**
   * Returns whether writes may be sent, and plugins called.
   *
   * @param isLeader whether this process may act
   */
  BooleanSupplier permit(BooleanSupplier isLeader);

  /** Performs and audits the actions. */
  record Performed(AuditSink sink, SharedInformers informers) implements ManagerActions {
    @Override
    public ClusterPorts makePorts(KubeCluster cluster, EventSink events, Time time) {
      boolean isAudited = sink != AuditSink.NONE;
      return new ClusterPorts(
          isAudited ? new AuditedWriter(cluster, sink, time) : cluster,
          cluster,
          isAudited ? new AuditedEvents(events, sink, time) : events,
          new KubeEvents(cluster),
          time);
    }

    @Override
    public BooleanSupplier permit(BooleanSupplier isLeader) {
      return isLeader;
    }
  }
}
