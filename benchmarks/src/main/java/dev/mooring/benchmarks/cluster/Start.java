package dev.mooring.benchmarks.cluster;

import java.util.List;
import java.util.Locale;

/** How a process is found by what is asked of it. */
enum Start {
  /** Not started yet, when everything is asked for: a failover, or an upgrade. */
  COLD,
  /** Having served as much before, and at rest. */
  WARM;

  String option() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one of that name. {@link IllegalArgumentException} says which there are. */
  static Start named(String name) {
    for (Start start : values()) {
      if (start.option().equals(name)) {
        return start;
      }
    }
    throw new IllegalArgumentException(
        "--starts knows no '"
            + name
            + "': there are "
            + String.join(", ", List.of(values()).stream().map(Start::option).toList()));
  }
}
