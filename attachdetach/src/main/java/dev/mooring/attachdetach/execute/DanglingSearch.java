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
 * <p>A process that is killed between the attach and the status write, or between the removal from
 * the status and the detach, leaves no other trace. The volume would stay attached for ever, and
 * another node would get it as well. So before a plugin attaches an exclusive volume, it must
 * answer once which of its volumes each node has.
 *
 * <p>CSI volumes need no search, because their VolumeAttachments exist before the attach. Unmanaged
 * nodes and inline volumes are not covered. Nor are requests of a killed process that the backend
 * carries out after the search. Thread-safe; blocks.
 */
public final class DanglingSearch {
  // failures after which a pass ends, so that waiting attaches report the cause soon
  private static final int FAILURES_AT_ONCE = 3;

  private final PluginInventory inventory;
  private final PluginSearches searches;
  private final Informer<Node> nodes;
  private final Optional<Duration> patience;
  private final Compat compat;
  private final Time time;

  /**
   * Creates a search without results.
   *
   * @param patience how long a plugin may fail to answer about a node before that counts as
   *     "nothing attached"; it must also have failed {@value PluginSearches#TRIES} times. Empty for
   *     ever
   */
  public DanglingSearch(
      PluginInventory inventory,
      Informer<Node> nodes,
      Optional<Duration> patience,
      Compat compat,
      Time time) {
    this.inventory = inventory;
    this.searches = inventory.searches();
    this.nodes = nodes;
    this.patience = patience;
    this.compat = compat;
    this.time = time;
  }

  boolean hasFound(VolumeId id, String node) {
    return inventory.hasFound(id, node);
  }

  Optional<String> objection(AttachTarget target, String node) throws InterruptedException {
    if (compat.isKubernetes() || !target.exclusive() || !inventory.attaches(target.id())) {
      return Optional.empty();
    }
    String plugin = target.id().plugin();
    Optional<String> problem = isAnswerWaived(plugin) ? Optional.empty() : search(plugin);
    if (problem.isPresent()) {
      return problem.map(
          why -> "plugin \"" + plugin + "\" has not answered yet which volumes nodes have; " + why);
    }
    return inventory
        .otherHolder(target.id(), node)
        .map(other -> "node " + other + " has it, according to plugin \"" + plugin + "\"");
  }

  // searches all loaded plugins that attach volumes and have not answered yet
  public void searchAll() throws InterruptedException {
    Map<String, Long> now = inventory.plugins();
    if (searches.isComplete(now)) {
      return;
    }
    boolean all = true;
    for (String plugin : now.keySet()) {
      all &= search(plugin).isEmpty();
    }
    searches.setComplete(all ? now : null);
  }

  // Returns whether attaches no longer wait for the plugin. Later passes still ask it.
  private boolean isAnswerWaived(String plugin) {
    return patience.isPresent()
        && searches.isExhaustedSince(plugin, time.nanos() - patience.get().toNanos());
  }

  /**
   * Searches one plugin once. A caller that waited for another caller's pass does not start a
   * second one.
   *
   * @return why the search is not complete
   */
  private Optional<String> search(String plugin) throws InterruptedException {
    PluginProgress progress = searches.of(plugin, time);
    if (progress.isSearched()) {
      return Optional.empty();
    }
    int passes = progress.passes();
    progress.lock().lock();
    try {
      if (!progress.isSearched() && progress.passes() == passes) {
        pass(plugin, progress);
      }
      return progress.problem();
    } finally {
      progress.lock().unlock();
    }
  }

  private void pass(String plugin, PluginProgress progress) throws InterruptedException {
    Map<VolumeId, AttachTarget> known = inventory.known(plugin);
    List<Node> open = unanswered(progress);
    int failures = 0;
    for (Node node : open) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (failures == FAILURES_AT_ONCE) {
        break;
      }
      String name = node.meta().name();
      Optional<String> problem = inventory.ask(plugin, node, known);
      if (problem.isEmpty()) {
        progress.addAnswer(name);
      } else {
        failures++;
        progress.addFailure(name, problem.get());
      }
    }
    if (failures == 0) {
      progress.complete();
    } else {
      progress.endPass(open.stream().map(node -> node.meta().name()).toList());
    }
  }

  private List<Node> unanswered(PluginProgress progress) {
    List<Node> open = new ArrayList<>();
    for (Node node : nodes.snapshot().all()) {
      if (node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)
          && !progress.hasAnswered(node.meta().name())) {
        open.add(node);
      }
    }
    open.sort(
        Comparator.comparing((Node node) -> progress.failures(node.meta().name()))
            .thenComparing(node -> node.meta().name()));
    return open;
  }
}
