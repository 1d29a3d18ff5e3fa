package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
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
  private final AttachRequeue queues;
  private final PluginSearches searches = new PluginSearches();

  public PluginInventory(
      ActualStateOfWorld actual,
      VolumeResolver resolver,
      AttachBackends backends,
      PodReporter reporter,
      AttachRequeue queues) {
    this.actual = actual;
    this.resolver = resolver;
    this.backends = backends;
    this.reporter = reporter;
    this.queues = queues;
  }

  // Returns the loaded plugins that attach volumes, with their generations.
  Map<String, Long> plugins() {
    Map<String, Long> attachers = new TreeMap<>(resolver.generations());
    attachers.keySet().removeIf(plugin -> !hasAttacher(VolumeId.of(plugin, NO_VOLUME)));
    return attachers;
  }

  boolean hasAttacher(VolumeId id) {
    return backends.hasAttacher(id);
  }

  PluginSearches searches() {
    return searches;
  }

  // volumes that the plugin may have attached without a record here
  Map<VolumeId, AttachTarget> findCandidates(String plugin) {
    Set<VolumeId> attached = new HashSet<>();
    actual.nodes().forEach(node -> attached.addAll(actual.attachedVolumes(node)));
    Map<VolumeId, AttachTarget> candidates = new TreeMap<>();
    for (AttachTarget target : resolver.findAllTargets()) {
      if (target.id().plugin().equals(plugin)
          && backends.hasAttacher(target.id())
          && !(target.exclusive() && attached.contains(target.id()))) {
        candidates.merge(target.id(), target, PluginInventory::mergeTargets);
      }
    }
    return candidates;
  }

  // merges PersistentVolumes of one storage volume; the result does not depend on their order
  private static AttachTarget mergeTargets(AttachTarget target, AttachTarget otherTarget) {
    AttachTarget firstTarget =
        target.persistentVolume().compareTo(otherTarget.persistentVolume()) <= 0
            ? target
            : otherTarget;
    return firstTarget.withExclusive(target.exclusive() || otherTarget.exclusive());
  }

  // asks the plugin about these volumes and those that the kubelet reports in use
  Optional<String> askPlugin(String plugin, Node node, Map<VolumeId, AttachTarget> candidates) {
    String nodeName = node.meta().name();
    Map<VolumeId, Long> changes = new LinkedHashMap<>(); // with the number of its last change
    candidates.keySet().forEach(id -> addUnlessAttached(id, nodeName, changes));
    // volumes of deleted PersistentVolumes show only here
    node.volumesInUse().stream()
        .map(VolumeId::new)
        .filter(id -> id.plugin().equals(plugin))
        .forEach(id -> addUnlessAttached(id, nodeName, changes));
    if (changes.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = new HashSet<>();
    changes.keySet().forEach(id -> names.add(id.name()));
    names.add(NO_VOLUME);
    return switch (backends.listAttached(plugin, nodeName, Set.copyOf(names))) {
      case Attempt.Done<Set<String>>(Set<String> attachedNames)
          when attachedNames.contains(NO_VOLUME) -> {
        reporter.reportImplausiblePlugin(plugin, nodeName);
        yield Optional.empty();
      }
      case Attempt.Done<Set<String>>(Set<String> attachedNames) ->
          recordAnswer(nodeName, attachedNames, changes, candidates);
      case Attempt.Failed<Set<String>>(Failure failure) -> Optional.of(failure.message());
    };
  }

  private void addUnlessAttached(VolumeId id, String node, Map<VolumeId, Long> changes) {
    if (actual.attachState(id, node) != AttachState.ATTACHED) {
      changes.put(id, actual.change(id, node));
    }
  }

  private Optional<String> recordAnswer(
      String node,
      Set<String> attachedNames,
      Map<VolumeId, Long> changes,
      Map<VolumeId, AttachTarget> candidates) {
    boolean isComplete = true;
    for (Map.Entry<VolumeId, Long> volumeChange : changes.entrySet()) {
      VolumeId id = volumeChange.getKey();
      if (attachedNames.contains(id.name())) {
        isComplete &=
            recordAttached(new VolumeNode(id, node), candidates.get(id), volumeChange.getValue());
      }
    }
    return isComplete ? Optional.empty() : Optional.of("the attachments changed during the call");
  }

  // Records an answer, and returns whether it counts. It also counts if an attach to that node is
  // about to start: if that attach fails, the node still has the volume.
  private boolean recordAttached(
      VolumeNode volumeNode, @Nullable AttachTarget target, long change) {
    if (!actual.updateUnlessChanged(
        volumeNode.volume(),
        volumeNode.node(),
        change,
        () -> actual.setUncertain(volumeNode.volume(), volumeNode.node(), target))) {
      return actual.attachState(volumeNode.volume(), volumeNode.node()) == AttachState.ATTACHED;
    }
    searches.addFound(volumeNode, actual.change(volumeNode.volume(), volumeNode.node()));
    reporter.reportDangling(volumeNode.volume(), volumeNode.node());
    queues.requeueVolume(volumeNode);
    return true;
  }

  // Returns another node that has the volume according to the plugin; empty if none is known.
  Optional<String> findOtherHolder(VolumeId id, String node) {
    // Keeps only uncertain attachments; the actual state of world has the others.
    searches.removeFoundIf(volumeNode ->
        actual.attachState(volumeNode.volume(), volumeNode.node()) != AttachState.UNCERTAIN);
    return searches
        .foundVolumes()
        .filter(volumeNode -> volumeNode.volume().equals(id) && !volumeNode.node().equals(node))
        .map(VolumeNode::node)
        .findFirst();
  }

  boolean hasFound(VolumeId id, String node) {
    return searches.hasFound(new VolumeNode(id, node), actual.change(id, node));
  }
}
