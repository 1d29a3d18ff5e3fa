package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PluginSearches;
import dev.mooring.attachdetach.state.PluginSearches.PluginProgress;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds volumes that plugins attached to nodes whose statuses do not list them.
 *
 * <p>A process may be killed between the attach and the status write, or between the removal from
 * the status and the detach. Then only the plugin knows of the attachment. The volume would stay
 * attached for ever, and another node would get it as well. So before a plugin attaches an
 * exclusive volume, it must answer once which of its volumes each node has.
 *
 * <p>CSI volumes need no search, because their VolumeAttachments exist before the attach. Unmanaged
 * nodes and inline volumes are not covered. Nor are requests of a killed process that the backend
 * carries out after the search. Thread-safe; blocks.
 */
public final class DanglingSearch {
  // failures after which a pass ends, so that waiting attaches report the cause soon
  private static final int MAX_FAILURES_PER_PASS = 3;

  private final PluginInventory inventory;
  private final PluginSearches searches;
  private final Informer<Node> nodes;
  private final Optional<Duration> silenceTimeout;
  private final Compat compat;
  private final Time time;

  /**
   * Creates a search without results.
   *
   * @param silenceTimeout how long a plugin may fail to answer about a node before that counts as
   *     "nothing attached"; it must also have failed {@value PluginSearches#MAX_FAILURES} times.
   *     Empty for ever
   */
  public DanglingSearch(
      PluginInventory inventory,
      Informer<Node> nodes,
      Optional<Duration> silenceTimeout,
      Compat compat,
      Time time) {
    this.inventory = inventory;
    this.searches = inventory.searches();
    this.nodes = nodes;
    this.silenceTimeout = silenceTimeout;
    this.compat = compat;
    this.time = time;
  }

  boolean hasFound(VolumeId id, String node) {
    return inventory.hasFound(id, node);
  }

  Optional<String> findObjection(AttachTarget target, String node) throws InterruptedException {
    if (compat.isKubernetes() || !target.exclusive() || !inventory.hasAttacher(target.id())) {
      return Optional.empty();
    }
    String plugin = target.id().plugin();
    Optional<String> problem = isAnswerWaived(plugin) ? Optional.empty() : search(plugin);
    if (problem.isPresent()) {
      return problem.map(message ->
          "plugin \"" + plugin + "\" has not answered yet which volumes nodes have; " + message);
    }
    return inventory
        .findOtherHolder(target.id(), node)
        .map(otherNode -> "node " + otherNode + " has it, according to plugin \"" + plugin + "\"");
  }

  // searches all loaded plugins that attach volumes and have not answered yet
  public void searchAll() throws InterruptedException {
    Map<String, Long> generations = inventory.plugins();
    if (searches.isComplete(generations)) {
      return;
    }
    boolean isComplete = true;
    for (String plugin : generations.keySet()) {
      isComplete &= search(plugin).isEmpty();
    }
    searches.setComplete(isComplete ? generations : null);
  }

  // Returns whether attaches no longer wait for the plugin. Later passes still ask it.
  private boolean isAnswerWaived(String plugin) {
    return silenceTimeout.isPresent()
        && searches.isExhaustedSince(plugin, time.nanos() - silenceTimeout.get().toNanos());
  }

  /**
   * Searches one plugin once. A caller that waited for another caller's pass does not start a
   * second one.
   *
   * @return why the search is not complete
   */
  private Optional<String> search(String plugin) throws InterruptedException {
    PluginProgress progress = searches.getProgress(plugin, time);
    if (progress.isSearched()) {
      return Optional.empty();
    }
    int passes = progress.passes();
    progress.lock().lock();
    try {
      if (!progress.isSearched() && progress.passes() == passes) {
        runPass(plugin, progress);
      }
      return progress.problem();
    } finally {
      progress.lock().unlock();
    }
  }

  private void runPass(String plugin, PluginProgress progress) throws InterruptedException {
    Map<VolumeId, AttachTarget> candidates = inventory.findCandidates(plugin);
    List<Node> unansweredNodes = findUnansweredNodes(progress);
    int failures = 0;
    for (Node node : unansweredNodes) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (failures == MAX_FAILURES_PER_PASS) {
        break;
      }
      String name = node.meta().name();
      Optional<String> problem = inventory.askPlugin(plugin, node, candidates);
      if (problem.isEmpty()) {
        progress.addAnswer(name);
      } else {
        failures++;
        progress.addFailure(name, problem.get());
      }
    }
    if (failures == 0) {
      progress.setSearched();
    } else {
      progress.endPass(unansweredNodes.stream().map(node -> node.meta().name()).toList());
    }
  }

  private List<Node> findUnansweredNodes(PluginProgress progress) {
    List<Node> unansweredNodes = new ArrayList<>();
    for (Node node : nodes.snapshot().objects()) {
      if (node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)
          && !progress.hasAnswered(node.meta().name())) {
        unansweredNodes.add(node);
      }
    }
    unansweredNodes.sort(
        Comparator.comparing((Node node) -> progress.countFailures(node.meta().name()))
            .thenComparing(node -> node.meta().name()));
    return unansweredNodes;
  }
}
