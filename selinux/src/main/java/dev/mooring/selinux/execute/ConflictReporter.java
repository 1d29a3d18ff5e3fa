package dev.mooring.selinux.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.selinux.decide.LabelConflict;
import dev.mooring.selinux.decide.VolumeKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Emits an event for each conflict once while it lasts. Thread-safe. */
public final class ConflictReporter {
  public static final String REPORTER = "selinux_warning";

  private static final String ACTION = "CheckingLabels";

  private record Mixed(Uid pod, Set<String> volumes) {}

  private final EventSink events;
  private final Function<ObjectKey, Optional<Meta>> pods;
  private final Map<VolumeKey, Set<LabelConflict>> lasting = new HashMap<>();
  private final Map<ObjectKey, Mixed> mixed = new HashMap<>();

  /**
   * Creates a reporter.
   *
   * @param pods looks up a pod in the cache; a pod that is absent gets no event
   */
  public ConflictReporter(EventSink events, Function<ObjectKey, Optional<Meta>> pods) {
    this.events = events;
    this.pods = pods;
  }

  public synchronized void reportConflicts(VolumeKey volume, List<LabelConflict> conflicts) {
    Set<LabelConflict> before = lasting.getOrDefault(volume, Set.of());
    for (LabelConflict conflict : conflicts) {
      if (!before.contains(conflict)) {
        emit(conflict.pod(), ClusterEvent.Type.NORMAL, conflict.reason(), conflict.message());
      }
    }
    if (conflicts.isEmpty()) {
      lasting.remove(volume);
    } else {
      lasting.put(volume, new LinkedHashSet<>(conflicts));
    }
  }

  public synchronized void reportMixedLabels(Meta pod, List<String> volumes) {
    Mixed before = mixed.get(pod.key());
    Set<String> reported =
        before != null && before.pod().equals(pod.uid()) ? before.volumes() : Set.of();
    for (String volume : volumes) {
      if (!reported.contains(volume)) {
        emit(
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

  public synchronized void forget(ObjectKey pod) {
    mixed.remove(pod);
  }

  private void emit(ObjectKey pod, ClusterEvent.Type type, String reason, String note) {
    pods.apply(pod)
        .ifPresent(about ->
            events.emit(new ClusterEvent(Kind.POD, about, type, reason, ACTION, note, REPORTER)));
  }

  public synchronized Set<LabelConflict> currentConflicts() {
    Set<LabelConflict> all = new LinkedHashSet<>();
    lasting.values().forEach(all::addAll);
    return all;
  }
}
