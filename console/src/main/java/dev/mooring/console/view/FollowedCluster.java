package dev.mooring.console.view;

import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Port to the host: a cluster that is watched, and its explanations. The host calls the
 * controllers' own decision code. Thread-safe.
 */
public interface FollowedCluster {
  ClusterView clusterView();

  Set<Kind<?>> kinds();

  boolean isListed();

  ClusterSnapshot takeSnapshot();

  /**
   * Registers a listener for outages of the API server. It receives the outage when the server
   * stops answering and an empty value when the server answers again. An ongoing outage is reported
   * immediately. The listener may run on any thread and must not block.
   */
  void onOutage(Consumer<Optional<ApiServerOutage>> listener);

  ProcessStatus processStatus();

  /** Returns the comparison of decisions; empty if this process compares none. */
  default Optional<DecisionComparison> comparison() {
    return Optional.empty();
  }

  Map<String, Object> tree(Explanation explanation);

  /**
   * Returns the danger for the data of claims. Leaves out claims without data, and those whose
   * danger is not known yet.
   */
  Map<ObjectKey, DataDanger> dangers(List<ObjectKey> claims);

  /**
   * Returns commands that show the object or correct its cause. They need no quoting in a shell.
   */
  List<String> commands(Explanation explanation);

  List<Explanation> withEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException;
}
