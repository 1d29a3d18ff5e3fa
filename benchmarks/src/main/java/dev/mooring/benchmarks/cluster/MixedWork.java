package dev.mooring.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Interleaves the units of several works. */
final class MixedWork extends ClusterWork {
  private final List<ClusterWork> works;

  MixedWork(List<ClusterWork> works) {
    super(
        "mixed",
        "mixed: " + String.join(", ", works.stream().map(ClusterWork::option).toList()),
        works.stream()
            .flatMap(work -> work.controllers().stream())
            .collect(Collectors.toUnmodifiableSet()));
    this.works = List.copyOf(works);
  }

  private ClusterWork workOf(int unit) {
    return works.get(unit % works.size());
  }

  private int unitWithinWork(int unit) {
    return unit / works.size();
  }

  @Override
  void createShared(TestCluster cluster) throws InterruptedException {
    for (ClusterWork work : works) {
      work.createShared(cluster);
    }
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    workOf(unit).prepare(cluster, unitWithinWork(unit));
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    workOf(unit).request(cluster, unitWithinWork(unit));
  }

  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return workOf(unit).isDone(cluster, unitWithinWork(unit));
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    workOf(unit).writeDirectly(cluster, unitWithinWork(unit));
  }

  @Override
  void writeCombined(TestCluster cluster, List<Integer> units) throws InterruptedException {
    for (int i = 0; i < works.size(); i++) {
      List<Integer> workUnits = new ArrayList<>();
      for (int unit : units) {
        if (unit % works.size() == i) {
          workUnits.add(unitWithinWork(unit));
        }
      }
      if (!workUnits.isEmpty()) {
        works.get(i).writeCombined(cluster, workUnits);
      }
    }
  }
}
