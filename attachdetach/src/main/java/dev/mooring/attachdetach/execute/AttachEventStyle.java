package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeHolder;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Events to emit and their times; chosen when the controller is assembled. */
public enum AttachEventStyle {
  // Names the nodes that have the volume and what must end first, again after each change. Emits an
  // event for a forced detach.
  EXPLAINING,
  // reports once that another node has the volume
  AS_KUBERNETES;

  String reportedState(List<VolumeHolder> holders) {
    return this == EXPLAINING
        ? holders.stream().map(h -> h.node() + " " + h.reason()).collect(Collectors.joining(","))
        : "blocked";
  }

  String reasons(List<VolumeHolder> holders, Function<VolumeHolder, String> describe) {
    return this == EXPLAINING ? holders.stream().map(describe).collect(Collectors.joining()) : "";
  }

  boolean isExplaining() {
    return this == EXPLAINING;
  }
}
