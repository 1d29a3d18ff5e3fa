package dev.mooring.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Interleaves the units of several works. */
final class MixedWork extends ClusterWork {
  private final List<ClusterWork> parts;

  MixedWork(List<ClusterWork> parts) {
    super(
        "mixed",
        "mixed: " + String.join(", ", parts.stream().map(ClusterWork::option).toList()),
        parts.stream()
            .flatMap(part -> part.controllers().stream())
            .collect(Collectors.toUnmodifiableSet()));
    this.parts = List.copyOf(parts);
  }

  private ClusterWork part(int unit) {
    return parts.get(unit % parts.size());
  }

  private int within(int unit) {
    return unit / parts.size();
  }

  @Override
  void createShared(TestCluster cluster) throws InterruptedException {
    for (ClusterWork part : parts) {
      part.createShared(cluster);
    }
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).prepare(cluster, within(unit));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).request(cluster, within(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return part(unit).isDone(cluster, within(unit));
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).writeDirectly(cluster, within(unit));
  }

  @Override
  void writeCombined(TestCluster cluster, List<Integer> units) throws InterruptedException {
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> own = new ArrayList<>();
      for (int unit : units) {
        if (unit % parts.size() == i) {
          own.add(within(unit));
        }
      }
      if (!own.isEmpty()) {
        parts.get(i).writeCombined(cluster, own);
      }
    }
  }
}
