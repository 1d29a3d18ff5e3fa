package dev.mooring.selinux.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.selinux.decide.Conflict;
import dev.mooring.selinux.decide.VolumeKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Tells pods of conflicts, each once while it lasts, and knows those that last. Thread-safe. */
public final class ConflictReporter {
  /** The reporting component's name. */
  public static final String REPORTER = "selinux_warning";

  private static final String ACTION = "CheckingLabels";

  /** Which volumes of which pod mix labels. */
  private record Mixed(Uid pod, Set<String> volumes) {}

  private final EventSink events;
  private final Function<ObjectKey, Optional<Meta>> pods;
  private final Map<VolumeKey, Set<Conflict>> lasting = new HashMap<>();
  private final Map<ObjectKey, Mixed> mixed = new HashMap<>();

  /**
   * Tells there.
   *
   * @param pods the pods that are there; others are told nothing
   */
  public ConflictReporter(EventSink events, Function<ObjectKey, Optional<Meta>> pods) {
    this.events = events;
    this.pods = pods;
  }

  /** These are the conflicts about a volume by now. */
  public synchronized void tell(VolumeKey volume, List<Conflict> conflicts) {
    Set<Conflict> before = lasting.getOrDefault(volume, Set.of());
    for (Conflict conflict : conflicts) {
      if (!before.contains(conflict)) {
        tell(conflict.pod(), ClusterEvent.Type.NORMAL, conflict.reason(), conflict.message());
      }
    }
    if (conflicts.isEmpty()) {
      lasting.remove(volume);
    } else {
      lasting.put(volume, new LinkedHashSet<>(conflicts));
    }
  }

  /** These volumes the pod itself mounts with several labels. */
  public synchronized void tellMixed(Meta pod, List<String> volumes) {
    Mixed before = mixed.get(pod.key());
    Set<String> told =
        before != null && before.pod().equals(pod.uid()) ? before.volumes() : Set.of();
    for (String volume : volumes) {
      if (!told.contains(volume)) {
        tell(
            pod.key(),
            ClusterEvent.Type.WARNING,
            "MultipleSELinuxLabels",
            "Volume \""
                + volume
                + "\" is mounted twice with different SELinux labels inside this pod");
      }
    }
    if (volumes.isEmpty()) {
      mixed.remove(pod.key());
    } else {
      mixed.put(pod.key(), new Mixed(pod.uid(), new HashSet<>(volumes)));
    }
  }

  /** The pod is gone. */
  public synchronized void forget(ObjectKey pod) {
    mixed.remove(pod);
  }

  private void tell(ObjectKey pod, ClusterEvent.Type type, String reason, String note) {
    pods.apply(pod)
        .ifPresent(about ->
            events.tell(new ClusterEvent(Kind.POD, about, type, reason, ACTION, note, REPORTER)));
  }

  /** The conflicts that last, each once, however many volumes it is about. */
  public synchronized Set<Conflict> lasting() {
    Set<Conflict> all = new LinkedHashSet<>();
    lasting.values().forEach(all::addAll);
    return all;
  }
}
