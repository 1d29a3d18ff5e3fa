package dev.mooring.benchmarks.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Some of each, in turns. */
final class Mixed implements Work {
  private final List<Work> parts;

  Mixed(List<Work> parts) {
    this.parts = List.copyOf(parts);
  }

  private Work part(int unit) {
    return parts.get(unit % parts.size());
  }

  private int within(int unit) {
    return unit / parts.size();
  }

  @Override
  public String option() {
    return "mixed";
  }

  @Override
  public String title() {
    return "mixed: " + String.join(", ", parts.stream().map(Work::option).toList());
  }

  @Override
  public Set<String> controllers() {
    Set<String> all = new HashSet<>();
    parts.forEach(part -> all.addAll(part.controllers()));
    return all;
  }

  @Override
  public void begin(TestCluster cluster) throws InterruptedException {
    for (Work part : parts) {
      part.begin(cluster);
    }
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).prepare(cluster, within(unit));
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).ask(cluster, within(unit));
  }

  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return part(unit).isDone(cluster, within(unit));
  }

  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    part(unit).bare(cluster, within(unit));
  }

  @Override
  public void bareEnd(TestCluster cluster, List<Integer> units) throws InterruptedException {
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> own = new ArrayList<>();
      for (int unit : units) {
        if (unit % parts.size() == i) {
          own.add(within(unit));
        }
      }
      if (!own.isEmpty()) {
        parts.get(i).bareEnd(cluster, own);
      }
    }
  }
}
