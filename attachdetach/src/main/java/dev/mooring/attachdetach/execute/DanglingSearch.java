package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.attachdetach.observe.Populator;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Mutex;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import org.jspecify.annotations.Nullable;

/**
 * Finds what plugins have attached to nodes whose statuses do not list it. A process that was
 * killed between having a volume attached and writing that down, or between striking it off and
 * having it detached, leaves no other trace: the volume would stay there for ever, and the next
 * node would be given a volume that another one has. So before a plugin attaches an exclusive
 * volume it is asked once which of its volumes each node has. Volumes of CSI drivers need none of
 * this: their VolumeAttachments are there before they are. Nor is anything known of nodes whose
 * kubelets attach by themselves, and of volumes that stand in pods. What a killed process had asked
 * for, and the backend does only after it was asked here, is not found. Thread-safe; blocks.
 */
public final class DanglingSearch {
  /** No volume has that name: who says that a node has it says yes to everything. */
  private static final String NOBODYS = "nobody-s";

  /** So often a node is asked about in vain before nobody waits for the answer any longer. */
  private static final int TRIES = 3;

  /** After so many failures the rest is left to the next time: whoever waits is to hear why. */
  private static final int FAILURES_AT_ONCE = 3;

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
   * @param reporter tells people
   * @param wake has a volume on a node looked at
   */
  public record Tools(
      ActualState actual,
      Backends backends,
      Supplier<Map<String, Long>> plugins,
      PodReporter reporter,
      Consumer<VolumeNode> wake) {}

  /** How far it has come with a plugin; but for the volatile ones, of whoever has the lock. */
  private static final class Progress {
    private final Mutex lock;
    private final long since; // it was asked for the first time, on the monotonic clock
    private final Set<String> answered = new HashSet<>(); // nodes
    private final Map<String, Integer> silent = new HashMap<>(); // nodes: how often
    private volatile boolean searched; // every node was answered for
    private volatile boolean hopeless; // every other node was asked about often enough
    private volatile int passes; // that came to no end
    private volatile String problem = "";

    Progress(Time time) {
      lock = new Mutex(time);
      since = time.nanos();
    }
  }

  private final Sources sources;
  private final Tools tools;
  private final Optional<Duration> patience;
  private final Time time;
  private final Map<String, Progress> begun = new ConcurrentHashMap<>(); // by plugin
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
    if (!target.exclusive() || !sources.asked().test(target.id())) {
      return Optional.empty();
    }
    String plugin = target.id().plugin();
    Optional<String> problem = isOver(plugin) ? Optional.empty() : search(plugin);
    if (problem.isPresent()) {
      return problem.map(
          why -> "plugin \"" + plugin + "\" has yet to say which volumes nodes have, " + why);
    }
    // what is certain by now is decided upon before anybody comes here
    found.keySet().removeIf(at -> tools.actual().held(at.volume(), at.node()) != Held.PERHAPS);
    return found.keySet().stream()
        .filter(at -> at.volume().equals(target.id()) && !at.node().equals(node))
        .findFirst()
        .map(at -> "node " + at.node() + " has it, says plugin \"" + plugin + "\"");
  }

  /** Searches for volumes of all plugins that are loaded, attach volumes and were not asked yet. */
  public void searchAll() throws InterruptedException {
    Map<String, Long> now = Map.copyOf(tools.plugins().get());
    if (now.equals(complete)) {
      return;
    }
    boolean all = true;
    for (String plugin : new TreeSet<>(now.keySet())) {
      if (sources.asked().test(VolumeId.of(plugin, NOBODYS))) {
        all &= search(plugin).isEmpty();
      }
    }
    complete = all ? now : null;
  }

  /** Whether nobody waits for it any longer; it is asked again all the same, now and then. */
  private boolean isOver(String plugin) {
    Progress progress = begun.get(plugin);
    return patience.isPresent()
        && progress != null
        && progress.hopeless
        && time.nanos() - progress.since - patience.get().toNanos() >= 0;
  }

  /**
   * Searches for volumes of one plugin, once; why that did not succeed. Who has waited for somebody
   * else's try does not try again at once.
   */
  private Optional<String> search(String plugin) throws InterruptedException {
    Progress progress = begun.computeIfAbsent(plugin, p -> new Progress(time));
    if (progress.searched) {
      return Optional.empty();
    }
    int passes = progress.passes;
    progress.lock.lock();
    try {
      if (progress.searched) {
        return Optional.empty();
      }
      if (progress.passes == passes) {
        pass(plugin, progress);
      }
      return progress.searched ? Optional.empty() : Optional.of(progress.problem);
    } finally {
      progress.lock.unlock();
    }
  }

  private void pass(String plugin, Progress progress) throws InterruptedException {
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
        progress.answered.add(name);
        progress.silent.remove(name);
      } else {
        failures++;
        progress.silent.merge(name, 1, Integer::sum);
        progress.problem = "of node " + name + ": " + problem.get();
      }
    }
    if (failures == 0) {
      progress.searched = true;
    } else {
      progress.hopeless =
          nodes.stream()
              .map(node -> node.meta().name())
              .filter(name -> !progress.answered.contains(name))
              .allMatch(name -> progress.silent.getOrDefault(name, 0) >= TRIES);
      progress.passes++;
    }
  }

  /** Those that were not asked about come before those that were in vain. */
  private List<Node> unanswered(Progress progress) {
    List<Node> nodes = new ArrayList<>();
    for (Node node : sources.nodes().snapshot().all()) {
      if (node.meta().has(Populator.MANAGED) && !progress.answered.contains(node.meta().name())) {
        nodes.add(node);
      }
    }
    nodes.sort(
        Comparator.comparing((Node node) -> progress.silent.getOrDefault(node.meta().name(), 0))
            .thenComparing(node -> node.meta().name()));
    return nodes;
  }

  /** The plugin's volumes; of those that one node may have, those of which no node is known. */
  private Map<VolumeId, AttachTarget> known(String plugin) {
    Set<VolumeId> attached = new HashSet<>();
    tools.actual().nodes().forEach(node -> attached.addAll(tools.actual().attachedTo(node)));
    Map<VolumeId, AttachTarget> known = new TreeMap<>();
    for (Volume volume : sources.volumes().snapshot().all()) {
      AttachTarget target = sources.target().apply(volume);
      if (target != null
          && target.id().plugin().equals(plugin)
          && sources.asked().test(target.id())
          && !(target.exclusive() && attached.contains(target.id()))) {
        known.merge(target.id(), target, DanglingSearch::first);
      }
    }
    return known;
  }

  /** Of several that address one volume, an exclusive one if there is one, the same each time. */
  private static AttachTarget first(AttachTarget one, AttachTarget other) {
    AttachTarget first =
        one.persistentVolume().compareTo(other.persistentVolume()) <= 0 ? one : other;
    return first.withExclusive(one.exclusive() || other.exclusive());
  }

  /** Asks which of these, and of those that its kubelet says that it uses, the node has. */
  private Optional<String> ask(String plugin, Node on, Map<VolumeId, AttachTarget> known) {
    String node = on.meta().name();
    Map<VolumeId, Long> unknown = new LinkedHashMap<>(); // with the last change to them
    known.keySet().forEach(id -> noteUnlessAttached(id, node, unknown));
    // of volumes that are gone nobody else tells
    on.volumesInUse().stream()
        .map(VolumeId::new)
        .filter(id -> id.plugin().equals(plugin))
        .forEach(id -> noteUnlessAttached(id, node, unknown));
    if (unknown.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    unknown.keySet().forEach(id -> names.add(id.name()));
    names.add(NOBODYS);
    return switch (tools.backends().attached(plugin, node, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> there) when there.contains(NOBODYS) -> {
        tools.reporter().saysYesToAll(plugin, node);
        yield Optional.empty();
      }
      case Attempt.Done<Set<String>>(Set<String> there) -> recover(node, there, unknown, known);
      case Attempt.Failed<Set<String>>(Failure why) -> Optional.of(why.message());
    };
  }

  private void noteUnlessAttached(VolumeId id, String node, Map<VolumeId, Long> unknown) {
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
    return all ? Optional.empty() : Optional.of("something has changed since it was asked");
  }

  /**
   * Whether the answer counts. It does for a volume that is about to be attached there too: if that
   * comes to nothing, the node has it all the same.
   */
  private boolean recover(VolumeNode at, @Nullable AttachTarget target, long change) {
    WorldUpdate update = new WorldUpdate.Uncertain(at.volume(), at.node(), target);
    if (!tools.actual().updateUnlessChanged(at.volume(), at.node(), change, update)) {
      return tools.actual().held(at.volume(), at.node()) == Held.YES;
    }
    found.put(at, tools.actual().change(at.volume(), at.node()));
    tools.reporter().dangling(at.volume(), at.node());
    tools.wake().accept(at);
    return true;
  }

  /** Whether the plugin has said that the node has it, and nothing has become known since. */
  boolean hasFound(VolumeId id, String node) {
    Long change = found.get(new VolumeNode(id, node));
    return change != null && change == tools.actual().change(id, node);
  }
}
