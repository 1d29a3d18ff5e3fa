package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PluginSearches;
import dev.mooring.attachdetach.state.PluginSearches.PluginProgress;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  // name of no volume: a plugin that reports it as attached reports everything
  private static final String NO_VOLUME = "mooring-no-volume";

  // failures after which a pass ends, so that waiting attaches report the cause soon
  private static final int FAILURES_AT_ONCE = 3;

  public record SearchScope(
      Predicate<VolumeId> isSearched,
      Informer<Node> nodes,
      Informer<Volume> volumes,
      Function<Volume, @Nullable AttachTarget> target) {}

  /**
   * Dependencies.
   *
   * @param actual receives the results
   * @param plugins returns a generation per plugin; it changes when the plugin is loaded or
   *     replaced
   * @param wake requeues a volume on a node
   */
  public record SearchTools(
      ActualStateOfWorld actual,
      AttachBackends backends,
      Supplier<Map<String, Long>> plugins,
      PodReporter reporter,
      Consumer<VolumeNode> wake) {}

  private final SearchScope sources;
  private final SearchTools tools;
  private final Optional<Duration> patience;
  private final Time time;
  private final PluginSearches searches = new PluginSearches();

  /**
   * Creates a search without results.
   *
   * @param patience how long a plugin may fail to answer about a node before that counts as
   *     "nothing attached"; it must also have failed {@value PluginSearches#TRIES} times. Empty for
   *     ever
   */
  public DanglingSearch(
      SearchScope sources, SearchTools tools, Optional<Duration> patience, Time time) {
    this.patience = patience;
    this.time = time;
    this.sources = sources;
    this.tools = tools;
  }

  Optional<String> objection(AttachTarget target, String node) throws InterruptedException {
    if (!target.exclusive() || !sources.isSearched().test(target.id())) {
      return Optional.empty();
    }
    String plugin = target.id().plugin();
    Optional<String> problem = isAnswerWaived(plugin) ? Optional.empty() : search(plugin);
    if (problem.isPresent()) {
      return problem.map(
          why -> "plugin \"" + plugin + "\" has not answered yet which volumes nodes have; " + why);
    }
    // the next decision sees what is certain by now
    searches.removeFoundIf(at -> tools.actual().held(at.volume(), at.node()) != Held.PERHAPS);
    return searches
        .found()
        .filter(at -> at.volume().equals(target.id()) && !at.node().equals(node))
        .findFirst()
        .map(at -> "node " + at.node() + " has it, according to plugin \"" + plugin + "\"");
  }

  // searches all loaded plugins that attach volumes and have not answered yet
  public void searchAll() throws InterruptedException {
    Map<String, Long> now = Map.copyOf(tools.plugins().get());
    if (searches.isComplete(now)) {
      return;
    }
    boolean all = true;
    for (String plugin : new TreeSet<>(now.keySet())) {
      if (sources.isSearched().test(VolumeId.of(plugin, NO_VOLUME))) {
        all &= search(plugin).isEmpty();
      }
    }
    searches.setComplete(all ? now : null);
  }

  /** Returns whether attaches no longer wait for the plugin. Later passes still ask it. */
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
    Map<VolumeId, AttachTarget> known = known(plugin);
    List<Node> nodes = unanswered(progress);
    int failures = 0;
    for (Node node : nodes) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (failures == FAILURES_AT_ONCE) {
        break;
      }
      String name = node.meta().name();
      Optional<String> problem = ask(plugin, node, known);
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
      progress.endPass(nodes.stream().map(node -> node.meta().name()).toList());
    }
  }

  private List<Node> unanswered(PluginProgress progress) {
    List<Node> nodes = new ArrayList<>();
    for (Node node : sources.nodes().snapshot().all()) {
      if (node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)
          && !progress.hasAnswered(node.meta().name())) {
        nodes.add(node);
      }
    }
    nodes.sort(
        Comparator.comparing((Node node) -> progress.failures(node.meta().name()))
            .thenComparing(node -> node.meta().name()));
    return nodes;
  }

  private Map<VolumeId, AttachTarget> known(String plugin) {
    Set<VolumeId> attached = new HashSet<>();
    tools.actual().nodes().forEach(node -> attached.addAll(tools.actual().attachedTo(node)));
    Map<VolumeId, AttachTarget> known = new TreeMap<>();
    for (Volume volume : sources.volumes().snapshot().all()) {
      AttachTarget target = sources.target().apply(volume);
      if (target != null
          && target.id().plugin().equals(plugin)
          && sources.isSearched().test(target.id())
          && !(target.exclusive() && attached.contains(target.id()))) {
        known.merge(target.id(), target, DanglingSearch::first);
      }
    }
    return known;
  }

  // merges PersistentVolumes of one storage volume; the result does not depend on their order
  private static AttachTarget first(AttachTarget one, AttachTarget other) {
    AttachTarget first =
        one.persistentVolume().compareTo(other.persistentVolume()) <= 0 ? one : other;
    return first.withExclusive(one.exclusive() || other.exclusive());
  }

  // asks the plugin about these volumes and those that the kubelet reports in use
  private Optional<String> ask(String plugin, Node on, Map<VolumeId, AttachTarget> known) {
    String node = on.meta().name();
    Map<VolumeId, Long> unknown = new LinkedHashMap<>(); // with the number of its last change
    known.keySet().forEach(id -> addUnlessAttached(id, node, unknown));
    // volumes of deleted PersistentVolumes show only here
    on.volumesInUse().stream()
        .map(VolumeId::new)
        .filter(id -> id.plugin().equals(plugin))
        .forEach(id -> addUnlessAttached(id, node, unknown));
    if (unknown.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    unknown.keySet().forEach(id -> names.add(id.name()));
    names.add(NO_VOLUME);
    return switch (tools.backends().attached(plugin, node, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> there) when there.contains(NO_VOLUME) -> {
        tools.reporter().reportImplausiblePlugin(plugin, node);
        yield Optional.empty();
      }
      case Attempt.Done<Set<String>>(Set<String> there) -> recover(node, there, unknown, known);
      case Attempt.Failed<Set<String>>(Failure why) -> Optional.of(why.message());
    };
  }

  private void addUnlessAttached(VolumeId id, String node, Map<VolumeId, Long> unknown) {
    if (tools.actual().held(id, node) != Held.YES) {
      unknown.put(id, tools.actual().change(id, node));
    }
  }

  private Optional<String> recover(
      String node,
      Set<String> there,
      Map<VolumeId, Long> unknown,
      Map<VolumeId, AttachTarget> known) {
    boolean all = true;
    for (Map.Entry<VolumeId, Long> one : unknown.entrySet()) {
      VolumeId id = one.getKey();
      if (there.contains(id.name())) {
        all &= recover(new VolumeNode(id, node), known.get(id), one.getValue());
      }
    }
    return all ? Optional.empty() : Optional.of("the state changed after the question");
  }

  // Records an answer, and returns whether it counts. It also counts if an attach to that node is
  // about to start: if that attach fails, the node still has the volume.
  private boolean recover(VolumeNode at, @Nullable AttachTarget target, long change) {
    if (!tools.actual().setUncertainUnlessChanged(at.volume(), at.node(), target, change)) {
      return tools.actual().held(at.volume(), at.node()) == Held.YES;
    }
    searches.addFound(at, tools.actual().change(at.volume(), at.node()));
    tools.reporter().reportDangling(at.volume(), at.node());
    tools.wake().accept(at);
    return true;
  }

  boolean hasFound(VolumeId id, String node) {
    return searches.hasFound(new VolumeNode(id, node), tools.actual().change(id, node));
  }
}
