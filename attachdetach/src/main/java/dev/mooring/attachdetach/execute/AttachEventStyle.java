package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeHolder;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What pods and nodes are told, and when: chosen when the controller is assembled. */
public enum AttachEventStyle {
  /** Who has the volume and what is waited for, again when that changes; what took force. */
  EXPLAINING,
  /** That another node has the volume, once. */
  AS_KUBERNETES;

  /** What a pod is told once of; when that is something else, it is told again. */
  String occasion(List<VolumeHolder> holders) {
    return this == EXPLAINING
        ? holders.stream().map(h -> h.node() + " " + h.why()).collect(Collectors.joining(","))
        : "blocked";
  }

  /** What is said of who has the volume. */
  String reasons(List<VolumeHolder> holders, Function<VolumeHolder, String> words) {
    return this == EXPLAINING ? holders.stream().map(words).collect(Collectors.joining()) : "";
  }

  /** Whether a move that takes long is told, and what was taken from a node by force. */
  boolean tellsMoreThanKubernetes() {
    return this == EXPLAINING;
  }
}
