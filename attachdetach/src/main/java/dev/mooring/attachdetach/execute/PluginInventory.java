package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.PluginSearches;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.model.Node;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks plugins which of their volumes a node has, and records the answers. Thread-safe; blocks. */
public final class PluginInventory {
  // name of no volume: a plugin that reports it as attached reports everything
  private static final String NO_VOLUME = "mooring-no-volume";

  private final ActualStateOfWorld actual;
  private final VolumeResolver resolver;
  private final AttachBackends backends;
  private final PodReporter reporter;
  private final AttachRequeue requeue;
  private final PluginSearches searches = new PluginSearches();

  public PluginInventory(
      ActualStateOfWorld actual,
      VolumeResolver resolver,
      AttachBackends backends,
      PodReporter reporter,
      AttachRequeue requeue) {
    this.actual = actual;
    this.resolver = resolver;
    this.backends = backends;
    this.reporter = reporter;
    this.requeue = requeue;
  }

  // Returns the loaded plugins that attach volumes, with their generations.
  Map<String, Long> plugins() {
    Map<String, Long> attachers = new TreeMap<>(resolver.generations());
    attachers.keySet().removeIf(plugin -> !attaches(VolumeId.of(plugin, NO_VOLUME)));
    return attachers;
  }

  boolean attaches(VolumeId id) {
    return backends.attaches(id);
  }

  PluginSearches searches() {
    return searches;
  }

  // volumes that the plugin may have attached without a record here
  Map<VolumeId, AttachTarget> known(String plugin) {
    Set<VolumeId> attached = new HashSet<>();
    actual.nodes().forEach(node -> attached.addAll(actual.attachedTo(node)));
    Map<VolumeId, AttachTarget> known = new TreeMap<>();
    for (AttachTarget target : resolver.all()) {
      if (target.id().plugin().equals(plugin)
          && backends.attaches(target.id())
          && !(target.exclusive() && attached.contains(target.id()))) {
        known.merge(target.id(), target, PluginInventory::first);
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
  Optional<String> ask(String plugin, Node on, Map<VolumeId, AttachTarget> known) {
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
    return switch (backends.attached(plugin, node, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> there) when there.contains(NO_VOLUME) -> {
        reporter.reportImplausiblePlugin(plugin, node);
        yield Optional.empty();
      }
      case Attempt.Done<Set<String>>(Set<String> there) -> recover(node, there, unknown, known);
      case Attempt.Failed<Set<String>>(Failure why) -> Optional.of(why.message());
    };
  }

  private void addUnlessAttached(VolumeId id, String node, Map<VolumeId, Long> unknown) {
    if (actual.held(id, node) != Held.YES) {
      unknown.put(id, actual.change(id, node));
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
    if (!actual.updateUnlessChanged(
        at.volume(),
        at.node(),
        change,
        () -> actual.setUncertain(at.volume(), at.node(), target))) {
      return actual.held(at.volume(), at.node()) == Held.YES;
    }
    searches.addFound(at, actual.change(at.volume(), at.node()));
    reporter.reportDangling(at.volume(), at.node());
    requeue.volume(at);
    return true;
  }

  // Returns another node that has the volume according to the plugin; empty if none is known.
  Optional<String> otherHolder(VolumeId id, String node) {
    // the next decision sees what is certain by now
    searches.removeFoundIf(at -> actual.held(at.volume(), at.node()) != Held.PERHAPS);
    return searches
        .found()
        .filter(at -> at.volume().equals(id) && !at.node().equals(node))
        .map(VolumeNode::node)
        .findFirst();
  }

  boolean hasFound(VolumeId id, String node) {
    return searches.hasFound(new VolumeNode(id, node), actual.change(id, node));
  }
}
