package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.model.Kind;
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
  /** Returns the live view of the cluster; its informers keep changing. */
  Sight sight();

  Set<Kind<?>> kinds();

  /** Returns whether every readable kind has been listed once. */
  boolean isListed();

  /** Returns an immutable snapshot for explanations. */
  ClusterSnapshot takeSnapshot();

  /**
   * Registers a listener for outages of the API server. It receives the outage when the server
   * stops answering and an empty value when the server answers again. An ongoing outage is reported
   * immediately. The listener may run on any thread and must not block.
   */
  void onOutage(Consumer<Optional<ApiServerOutage>> listener);

  /** Returns the current state of the host process. */
  ProcessStatus processStatus();

  /** Converts an explanation to JSON, with the members of {@code mooring explain -o json}. */
  Map<String, Object> tree(Explanation explanation);

  /**
   * Adds the events about the object to its explanations. May read from the API server.
   *
   * @throws InterruptedException if the thread is interrupted during a request
   */
  List<Explanation> withEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException;
}
