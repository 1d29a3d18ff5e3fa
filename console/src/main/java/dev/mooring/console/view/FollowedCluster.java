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
 * A cluster that is followed by watches, and whoever explains it. What decides is not here: the
 * host asks the controllers' own code. Thread-safe.
 */
public interface FollowedCluster {
  /** What is in sight; its informers go on changing. */
  Sight sight();

  Set<Kind<?>> kinds();

  /** Whether every kind was listed once, or cannot be. */
  boolean isListed();

  /** What is known at this moment, to be explained: it does not change any more. */
  Moment moment();

  /**
   * Calls back when the API server stops answering, and with empty when it answers again; at once
   * if it does not answer now. From any thread; the listener must be quick.
   */
  void onOutage(Consumer<Optional<Outage>> listener);

  /** What is known of the process that follows it, now. */
  Standing standing();

  /** An explanation as programs read it: the same members that {@code mooring explain} tells. */
  Map<String, Object> tree(Explanation explanation);

  /**
   * The same explanations with what others said of the object in events; may ask the server.
   *
   * @throws InterruptedException if the thread is interrupted while the server is asked
   */
  List<Explanation> withEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException;
}
