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
  public static final int TRIES = 3;

  private final Map<String, PluginProgress> byPlugin = new ConcurrentHashMap<>();
  private final Map<VolumeNode, Long> found =
      new ConcurrentHashMap<>(); // with the change that recorded it
  private volatile @Nullable Map<String, Long> complete; // generations after a complete search

  // Progress with one plugin. Only the holder of the lock may add answers and failures.
  public static final class PluginProgress {
    private final Mutex lock;
    private final long since; // first question, on the monotonic clock
    private final Set<String> answered = new HashSet<>(); // node names
    private final Map<String, Integer> failures = new HashMap<>(); // by node name
    private volatile boolean searched; // the plugin has answered for every node
    private volatile boolean exhausted; // each other node reached the maximum of failed questions
    private volatile int passes; // passes that did not complete
    private volatile String problem = "";

    private PluginProgress(Time time) {
      lock = new Mutex(time);
      since = time.nanos();
    }

    public Mutex lock() {
      return lock;
    }

    public void addAnswer(String node) {
      answered.add(node);
      failures.remove(node);
    }

    public void addFailure(String node, String why) {
      failures.merge(node, 1, Integer::sum);
      problem = "node " + node + ": " + why;
    }

    public boolean hasAnswered(String node) {
      return answered.contains(node);
    }

    public int failures(String node) {
      return failures.getOrDefault(node, 0);
    }

    public void complete() {
      searched = true;
    }

    // Ends a pass in which nodes did not answer.
    public void endPass(Collection<String> nodes) {
      exhausted =
          nodes.stream()
              .filter(node -> !answered.contains(node))
              .allMatch(node -> failures(node) >= TRIES);
      passes++;
    }

    public int passes() {
      return passes;
    }

    public boolean isSearched() {
      return searched;
    }

    // Returns why the search is not complete.
    public Optional<String> problem() {
      return searched ? Optional.empty() : Optional.of(problem);
    }
  }

  public PluginProgress of(String plugin, Time time) {
    return byPlugin.computeIfAbsent(plugin, p -> new PluginProgress(time));
  }

  // Returns whether every other node failed often enough, and the plugin was asked before that.
  public boolean isExhaustedSince(String plugin, long latest) {
    PluginProgress progress = byPlugin.get(plugin);
    return progress != null && progress.exhausted && progress.since - latest <= 0;
  }

  public boolean isComplete(Map<String, Long> generations) {
    return generations.equals(complete);
  }

  public void setComplete(@Nullable Map<String, Long> generations) {
    complete = generations;
  }

  public void addFound(VolumeNode at, long change) {
    found.put(at, change);
  }

  public void removeFoundIf(Predicate<VolumeNode> condition) {
    found.keySet().removeIf(condition);
  }

  public Stream<VolumeNode> found() {
    return found.keySet().stream();
  }

  public boolean hasFound(VolumeNode at, long change) {
    Long recorded = found.get(at);
    return recorded != null && recorded == change;
  }
}
