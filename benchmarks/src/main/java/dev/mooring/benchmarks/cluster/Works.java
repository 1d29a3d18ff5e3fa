package dev.mooring.benchmarks.cluster;

import java.util.List;

/** Every work there is. */
final class Works {
  static final List<Work> ALL =
      List.of(
          new Binds(false),
          new Binds(true),
          new Provisions(),
          new Attachments(),
          new ClaimDeletions(),
          new Growths(),
          new Mixed(
              List.of(
                  new Binds(false), new Provisions(), new Attachments(), new ClaimDeletions())));

  private Works() {}

  /** The one of that name. {@link IllegalArgumentException} says which there are. */
  static Work named(String name) {
    for (Work work : ALL) {
      if (work.option().equals(name)) {
        return work;
      }
    }
    throw new IllegalArgumentException(
        "--works knows no '"
            + name
            + "': there are "
            + String.join(", ", ALL.stream().map(Work::option).toList()));
  }
}
