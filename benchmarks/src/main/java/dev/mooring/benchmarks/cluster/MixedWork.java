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

  private ClusterWork partOf(int unit) {
    return parts.get(unit % parts.size());
  }

  private int unitWithinPart(int unit) {
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
    partOf(unit).prepare(cluster, unitWithinPart(unit));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    partOf(unit).request(cluster, unitWithinPart(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return partOf(unit).isDone(cluster, unitWithinPart(unit));
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    partOf(unit).writeDirectly(cluster, unitWithinPart(unit));
  }

  @Override
  void writeCombined(TestCluster cluster, List<Integer> units) throws InterruptedException {
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> partUnits = new ArrayList<>();
      for (int unit : units) {
        if (unit % parts.size() == i) {
          partUnits.add(unitWithinPart(unit));
        }
      }
      if (!partUnits.isEmpty()) {
        parts.get(i).writeCombined(cluster, partUnits);
      }
    }
  }
}
