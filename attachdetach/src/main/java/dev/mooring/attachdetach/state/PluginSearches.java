package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.time.Mutex;
import dev.mooring.time.Time;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Progress of the searches for volumes that plugins attached, and what they found. Thread-safe. */
public final class PluginSearches {
  // failed questions about a node after which its answer is no longer required
  public static final int MAX_FAILURES = 3;

  private final Map<String, PluginProgress> progressByPlugin = new ConcurrentHashMap<>();
  private final Map<VolumeNode, Long> foundVolumes =
      new ConcurrentHashMap<>(); // with the number of the change that recorded the volume
  private volatile @Nullable Map<String, Long>
      completeGenerations; // generations after a complete search

  // Progress with one plugin. Only the holder of the lock may add answers and failures.
  public static final class PluginProgress {
    private final Mutex lock;
    private final long startNanos; // first question, on the monotonic clock
    private final Set<String> answeredNodes = new HashSet<>(); // node names
    private final Map<String, Integer> failureCounts = new HashMap<>(); // by node name
    private volatile boolean isSearched; // the plugin has answered for every node
    private volatile boolean isExhausted; // each other node reached the maximum of failed questions
    private volatile int passes; // passes that did not complete
    private volatile String problem = "";

    private PluginProgress(Time time) {
      lock = new Mutex(time);
      startNanos = time.nanos();
    }

    public Mutex lock() {
      return lock;
    }

    public void addAnswer(String node) {
      answeredNodes.add(node);
      failureCounts.remove(node);
    }

    public void addFailure(String node, String message) {
      failureCounts.merge(node, 1, Integer::sum);
      problem = "node " + node + ": " + message;
    }

    public boolean hasAnswered(String node) {
      return answeredNodes.contains(node);
    }

    public int countFailures(String node) {
      return failureCounts.getOrDefault(node, 0);
    }

    public void setSearched() {
      isSearched = true;
    }

    // Ends a pass in which nodes did not answer.
    public void endPass(Collection<String> nodes) {
      isExhausted =
          nodes.stream()
              .filter(node -> !answeredNodes.contains(node))
              .allMatch(node -> countFailures(node) >= MAX_FAILURES);
      passes++;
    }

    public int passes() {
      return passes;
    }

    public boolean isSearched() {
      return isSearched;
    }

    // Returns why the search is not complete.
    public Optional<String> problem() {
      return isSearched ? Optional.empty() : Optional.of(problem);
    }
  }

  public PluginProgress getProgress(String plugin, Time time) {
    return progressByPlugin.computeIfAbsent(plugin, p -> new PluginProgress(time));
  }

  // Returns whether every other node failed often enough, and the plugin was asked before that.
  public boolean isExhaustedSince(String plugin, long latestNanos) {
    PluginProgress progress = progressByPlugin.get(plugin);
    return progress != null && progress.isExhausted && progress.startNanos - latestNanos <= 0;
  }

  public boolean isComplete(Map<String, Long> generations) {
    return generations.equals(completeGenerations);
  }

  public void setComplete(@Nullable Map<String, Long> generations) {
    completeGenerations = generations;
  }

  public void addFound(VolumeNode volumeNode, long change) {
    foundVolumes.put(volumeNode, change);
  }

  public void removeFoundIf(Predicate<VolumeNode> condition) {
    foundVolumes.keySet().removeIf(condition);
  }

  public Stream<VolumeNode> foundVolumes() {
    return foundVolumes.keySet().stream();
  }

  public boolean hasFound(VolumeNode volumeNode, long change) {
    Long recordedChange = foundVolumes.get(volumeNode);
    return recordedChange != null && recordedChange == change;
  }
}
