package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeUse;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which events are emitted, and when; chosen when the controller is assembled. */
public enum AttachEventStyle {
  // Events name the nodes that have the volume, and what must end before it can be attached. An
  // event is repeated when one of these changes. A forced detach has an event.
  EXPLAINING,
  // reports once per node that another node has the volume, to the pods that wait at that time
  AS_KUBERNETES;

  // Returns the pod or node for which reports are remembered.
  String receiver(VolumeUse use) {
    return this == EXPLAINING ? use.pod().uid().toString() : use.node();
  }

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
