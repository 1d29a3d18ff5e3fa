package dev.mooring.benchmarks.cluster;

import java.util.List;

/** All kinds of work. */
final class WorkCatalog {
  static final List<ClusterWork> ALL =
      List.of(
          new BindWork(false),
          new BindWork(true),
          new ProvisionWork(),
          new AttachWork(),
          new DeleteWork(),
          new ExpandWork(),
          new MixedWork(
              List.of(
                  new BindWork(false), new ProvisionWork(), new AttachWork(), new DeleteWork())));

  private WorkCatalog() {}

  static ClusterWork parse(String name) {
    for (ClusterWork work : ALL) {
      if (work.option().equals(name)) {
        return work;
      }
    }
    throw new IllegalArgumentException(
        "unknown value of --works '%s'; choices: %s"
            .formatted(name, String.join(", ", ALL.stream().map(ClusterWork::option).toList())));
  }
}
