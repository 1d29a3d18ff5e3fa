package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import dev.mooring.time.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what plugins have attached to nodes whose statuses do not list it. A process that was
 * killed between having a volume attached and writing that down, or between striking it off and
 * having it detached, leaves no other trace: the volume would stay there for ever, and the next
 * node would be given a volume that another one has. So before a plugin attaches anything it is
 * asked once which of its volumes each node has. Volumes of CSI drivers need none of this: their
 * VolumeAttachments are there before they are. Thread-safe; blocks.
 */
public final class DanglingSearch {
  /**
   * Where it is looked.
   *
   * @param asked whether it is looked for such a volume at all
   * @param nodes all nodes
   * @param volumes all volumes
   * @param target a volume as something to attach; null if it never is
   */
  public record Sources(
      Predicate<VolumeId> asked,
      Informer<Node> nodes,
      Informer<Volume> volumes,
      Function<Volume, @Nullable AttachTarget> target) {}

  /**
   * Who is asked and told.
   *
   * @param actual what is known, and learns of what is found
   * @param backends the plugins
   * @param plugins a number for each plugin, another one when it has come or was replaced
   * @param wake has a volume on a node looked at
   */
  public record Tools(
      ActualState actual,
      Backends backends,
      Supplier<Map<String, Long>> plugins,
      Consumer<VolumeNode> wake) {}

  /**
   * How far it has come with a plugin.
   *
   * @param turn of whoever asks it: no other plugin's volumes wait for this one
   * @param since when it was asked for the first time, on the monotonic clock
   * @param nodes those of which it has answered; of whoever has the turn
   */
  private record Progress(Turn turn, long since, Set<String> nodes) {
    Progress(Time time) {
      this(new Turn(time), time.nanos(), new HashSet<>());
    }
  }

  /** So often all nodes are asked about, and not all answered for, before nobody waits longer. */
  private static final int TRIES = 5;

  private final Sources sources;
  private final Tools tools;
  private final Optional<Duration> patience;
  private final Time time;
  private final Map<String, Progress> begun = new ConcurrentHashMap<>(); // by plugin
  private final Map<String, Integer> inVain = new ConcurrentHashMap<>(); // by plugin: how often
  private final Set<String> searched = ConcurrentHashMap.newKeySet(); // plugins
  private final Map<VolumeNode, Long> found = new ConcurrentHashMap<>(); // with the change by it
  private volatile @Nullable Map<String, Long> complete; // all of these were searched

  /**
   * Has looked nowhere yet.
   *
   * @param patience how long a plugin may be silent about a node, asked {@value #TRIES} times at
   *     least, before that counts as if it had nothing; empty for ever
   */
  public DanglingSearch(Sources sources, Tools tools, Optional<Duration> patience, Time time) {
    this.patience = patience;
    this.time = time;
    this.sources = sources;
    this.tools = tools;
  }

  /**
   * Why the volume must not be attached to that node yet, although no node was known to have it
   * when that was decided; empty if it may be.
   */
  Optional<String> objection(AttachTarget target, String node) throws InterruptedException {
    if (!sources.asked().test(target.id())) {
      return Optional.empty();
    }
    String plugin = target.id().plugin();
    Optional<String> problem = isOver(plugin) ? Optional.empty() : search(plugin);
    if (problem.isPresent() && target.exclusive()) {
      return problem.map(
          why -> "plugin \"" + plugin + "\" has yet to say which volumes nodes have, " + why);
    }
    found.keySet().removeIf(at -> tools.actual().held(at.volume(), at.node()) == Held.NO);
    return found.keySet().stream()
        .filter(at -> target.exclusive())
        .filter(at -> at.volume().equals(target.id()) && !at.node().equals(node))
        .findFirst()
        .map(at -> "node " + at.node() + " has it, says plugin \"" + plugin + "\"");
  }

  /** Searches for volumes of all plugins that are loaded and were not asked yet. */
  public void searchAll() throws InterruptedException {
    Map<String, Long> now = Map.copyOf(tools.plugins().get());
    if (now.equals(complete)) {
      return;
    }
    boolean all = true;
    for (String plugin : plugins()) {
      all &= search(plugin).isEmpty();
    }
    complete = all ? now : null;
  }

  private Set<String> plugins() {
    Set<String> plugins = new TreeSet<>();
    known().keySet().forEach(id -> plugins.add(id.plugin()));
    for (Node node : sources.nodes().snapshot().all()) {
      inUse(node).forEach(id -> plugins.add(id.plugin()));
    }
    return plugins;
  }

  /** The volumes of all plugins, and what is known of each. */
  private Map<VolumeId, AttachTarget> known() {
    Map<VolumeId, AttachTarget> known = new HashMap<>();
    for (Volume volume : sources.volumes().snapshot().all()) {
      AttachTarget target = sources.target().apply(volume);
      if (target != null && sources.asked().test(target.id())) {
        known.merge(target.id(), target, DanglingSearch::first);
      }
    }
    return known;
  }

  /** Of several that address one volume, the same each time. */
  private static AttachTarget first(AttachTarget one, AttachTarget other) {
    return one.persistentVolume().compareTo(other.persistentVolume()) <= 0 ? one : other;
  }

  /** What its kubelet says that it uses: of volumes that are gone nobody else tells. */
  private List<VolumeId> inUse(Node node) {
    return node.volumesInUse().stream().map(VolumeId::new).filter(sources.asked()).toList();
  }

  /** Searches for volumes of one plugin, once; why that did not succeed. */
  private Optional<String> search(String plugin) throws InterruptedException {
    if (searched.contains(plugin)) {
      return Optional.empty();
    }
    Progress progress = begun.computeIfAbsent(plugin, p -> new Progress(time));
    progress.turn().begin();
    try {
      Optional<String> problem =
          searched.contains(plugin) ? Optional.empty() : search(plugin, progress);
      if (problem.isEmpty()) {
        searched.add(plugin);
      } else {
        inVain.merge(plugin, 1, Integer::sum);
      }
      return problem;
    } finally {
      progress.turn().end();
    }
  }

  /** Whether nobody waits for it any longer; it is asked again all the same, now and then. */
  private boolean isOver(String plugin) {
    Progress progress = begun.get(plugin);
    return patience.isPresent()
        && progress != null
        && inVain.getOrDefault(plugin, 0) >= TRIES
        && time.nanos() - progress.since() - patience.get().toNanos() >= 0;
  }

  /** A node of which nothing is said keeps nobody from asking about the others. */
  private Optional<String> search(String plugin, Progress progress) {
    Map<VolumeId, AttachTarget> known = known();
    known.keySet().removeIf(id -> !id.plugin().equals(plugin));
    List<Node> nodes = new ArrayList<>();
    sources.nodes().snapshot().all().forEach(nodes::add);
    nodes.sort(Comparator.comparing(node -> node.meta().name()));
    Optional<String> first = Optional.empty();
    for (Node node : nodes) {
      if (!progress.nodes().contains(node.meta().name())) {
        Optional<String> problem = search(plugin, node, known);
        if (problem.isEmpty()) {
          progress.nodes().add(node.meta().name());
        }
        first = first.or(() -> problem.map(why -> "of node " + node.meta().name() + ": " + why));
      }
    }
    return first;
  }

  private Optional<String> search(String plugin, Node on, Map<VolumeId, AttachTarget> known) {
    String node = on.meta().name();
    Set<VolumeId> ids = new TreeSet<>(known.keySet());
    inUse(on).stream().filter(id -> id.plugin().equals(plugin)).forEach(ids::add);
    Map<VolumeId, Long> unknown = new TreeMap<>(); // with the last change to what is known of them
    for (VolumeId id : ids) {
      if (tools.actual().held(id, node) != Held.YES) {
        unknown.put(id, tools.actual().change(id, node));
      }
    }
    if (unknown.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names =
        unknown.keySet().stream().map(VolumeId::name).collect(Collectors.toUnmodifiableSet());
    return switch (tools.backends().attached(plugin, node, names)) {
      case Attempt.Done<Set<String>>(Set<String> there) -> {
        boolean all = true;
        for (Map.Entry<VolumeId, Long> one : unknown.entrySet()) {
          VolumeId id = one.getKey();
          if (there.contains(id.name())) {
            all &= adopt(new VolumeNode(id, node), known.get(id), one.getValue());
          }
        }
        yield all ? Optional.empty() : Optional.of("something has changed since it was asked");
      }
      case Attempt.Failed<Set<String>>(Failure why) -> Optional.of(why.message());
    };
  }

  /**
   * Whether the answer counts. It does for a volume that is about to be attached there too: if that
   * comes to nothing, the node has it all the same.
   */
  private boolean adopt(VolumeNode at, @Nullable AttachTarget target, long change) {
    WorldUpdate update = new WorldUpdate.Uncertain(at.volume(), at.node(), target);
    if (!tools.actual().updateUnlessChanged(at.volume(), at.node(), change, update)) {
      return tools.actual().held(at.volume(), at.node()) == Held.YES;
    }
    found.put(at, tools.actual().change(at.volume(), at.node()));
    tools.wake().accept(at);
    return true;
  }

  /** Whether the plugin has said that the node has it, and nothing has become known since. */
  boolean hasFound(VolumeId id, String node) {
    Long change = found.get(new VolumeNode(id, node));
    return change != null && change == tools.actual().change(id, node);
  }
}
