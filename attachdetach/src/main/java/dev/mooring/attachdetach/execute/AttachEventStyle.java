package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeHolder;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which events are emitted, and when; chosen when the controller is assembled. */
public enum AttachEventStyle {
  // Events name the nodes that have the volume, and what must end before it can be attached. An
  // event is repeated when one of these changes. A forced detach has an event.
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
