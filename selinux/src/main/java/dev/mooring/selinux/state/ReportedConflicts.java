package dev.mooring.selinux.state;

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
import java.util.Set;

/** Conflicts that last, and were reported. Thread-safe. */
public final class ReportedConflicts {
  private record MixedLabels(Uid pod, Set<String> volumes) {}

  private final Map<VolumeKey, Set<LabelConflict>> byVolume = new HashMap<>();
  private final Map<ObjectKey, MixedLabels> byPod = new HashMap<>();

  // Replaces the conflicts of a volume; returns the new ones.
  public synchronized List<LabelConflict> replace(VolumeKey volume, List<LabelConflict> conflicts) {
    Set<LabelConflict> before = byVolume.getOrDefault(volume, Set.of());
    if (conflicts.isEmpty()) {
      byVolume.remove(volume);
    } else {
      byVolume.put(volume, new LinkedHashSet<>(conflicts));
    }
    return conflicts.stream().filter(conflict -> !before.contains(conflict)).toList();
  }

  // Replaces a pod's volumes with different labels in one pod; returns the new ones.
  public synchronized List<String> replace(Meta pod, List<String> mixed) {
    MixedLabels before = byPod.get(pod.key());
    if (mixed.isEmpty()) {
      byPod.remove(pod.key());
    } else {
      byPod.put(pod.key(), new MixedLabels(pod.uid(), new HashSet<>(mixed)));
    }
    return before == null || !before.pod().equals(pod.uid())
        ? List.copyOf(mixed)
        : mixed.stream().filter(volume -> !before.volumes().contains(volume)).toList();
  }

  public synchronized void forget(ObjectKey pod) {
    byPod.remove(pod);
  }

  public synchronized Set<LabelConflict> current() {
    Set<LabelConflict> all = new LinkedHashSet<>();
    byVolume.values().forEach(all::addAll);
    return all;
  }
}
