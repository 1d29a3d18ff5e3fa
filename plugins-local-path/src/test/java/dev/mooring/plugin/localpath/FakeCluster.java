package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Cluster with nodes, volumes and pods; the test plays the kubelet. Thread-safe. */
final class FakeCluster implements PluginCluster {
  final Map<String, Node> nodes = new ConcurrentHashMap<>();
  final List<Volume> volumes = new CopyOnWriteArrayList<>();
  final Map<String, Map<String, Object>> pods = new ConcurrentHashMap<>();
  final AtomicInteger createdPods = new AtomicInteger();

  /** Pods that no kubelet ends. */
  final Set<String> undeletablePods = ConcurrentHashMap.newKeySet();

  /** Applied to every pod when it is created. */
  volatile UnaryOperator<Map<String, Object>> kubelet = pod -> pod;

  /** If true, requests for pods time out. */
  volatile boolean podRequestsFail;

  /** Answer to every call, if present. */
  volatile Optional<Failure> outage = Optional.empty();

  static FakeCluster of(Node... nodes) {
    FakeCluster cluster = new FakeCluster();
    for (Node node : nodes) {
      cluster.nodes.put(node.meta().name(), node);
    }
    return cluster;
  }

  private <T> Attempt<T> unlessOut(T answer) {
    return outage.<Attempt<T>>map(Attempt.Failed::new).orElseGet(() -> Attempt.done(answer));
  }

  @Override
  public String namespace() {
    return "mooring";
  }

  @Override
  public Attempt<Optional<Node>> node(String name) {
    return unlessOut(Optional.ofNullable(nodes.get(name)));
  }

  @Override
  public Attempt<List<Node>> nodes() {
    return unlessOut(List.copyOf(nodes.values()));
  }

  @Override
  public Attempt<List<Volume>> volumes() {
    return unlessOut(List.copyOf(volumes));
  }

  @Override
  public Attempt<Optional<Map<String, Object>>> pod(String name) {
    return podRequestsFail
        ? new Attempt.Failed<>(new Failure.Unreachable("no answer about pods"))
        : unlessOut(Optional.ofNullable(pods.get(name)));
  }

  @Override
  public Attempt<Creation> create(String name, Map<String, Object> pod) {
    if (outage.isPresent()) {
      return new Attempt.Failed<>(outage.get());
    }
    Map<String, Object> podWithMetadata = new HashMap<>(pod);
    podWithMetadata.put(
        "metadata", Map.of("name", name, "uid", "pod-" + createdPods.incrementAndGet()));
    boolean isFirst = pods.putIfAbsent(name, podWithMetadata) == null;
    if (isFirst) {
      pods.computeIfPresent(name, (same, it) -> kubelet.apply(it));
    }
    return Attempt.done(isFirst ? Creation.CREATED : Creation.EXISTS);
  }

  @Override
  public Attempt<Deletion> delete(String name, Uid uid) {
    if (outage.isPresent()) {
      return new Attempt.Failed<>(outage.get());
    }
    if (undeletablePods.contains(name)) {
      return Attempt.done(Deletion.TERMINATING);
    }
    pods.computeIfPresent(name, (same, pod) -> uidOf(pod).equals(uid.toString()) ? null : pod);
    return Attempt.done(Deletion.ABSENT);
  }

  private static String uidOf(Map<String, Object> pod) {
    return String.valueOf(((Map<?, ?>) pod.get("metadata")).get("uid"));
  }

  static Map<String, Object> with(Map<String, Object> pod, Map<String, Object> status) {
    Map<String, Object> changedPod = new HashMap<>(pod);
    changedPod.put("status", status);
    return changedPod;
  }
}
