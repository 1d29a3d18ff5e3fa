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

  private final Map<VolumeKey, Set<LabelConflict>> conflictsByVolume = new HashMap<>();
  private final Map<ObjectKey, MixedLabels> mixedLabelsByPod = new HashMap<>();

  // Replaces the conflicts of a volume; returns the new ones.
  public synchronized List<LabelConflict> replaceConflicts(
      VolumeKey volume, List<LabelConflict> conflicts) {
    Set<LabelConflict> oldConflicts = conflictsByVolume.getOrDefault(volume, Set.of());
    if (conflicts.isEmpty()) {
      conflictsByVolume.remove(volume);
    } else {
      conflictsByVolume.put(volume, new LinkedHashSet<>(conflicts));
    }
    return conflicts.stream().filter(conflict -> !oldConflicts.contains(conflict)).toList();
  }

  // Replaces the volumes that the pod's containers mount with different labels; returns the new
  // ones.
  public synchronized List<String> replaceMixedVolumes(Meta pod, List<String> mixedVolumes) {
    MixedLabels oldLabels = mixedLabelsByPod.get(pod.key());
    if (mixedVolumes.isEmpty()) {
      mixedLabelsByPod.remove(pod.key());
    } else {
      mixedLabelsByPod.put(pod.key(), new MixedLabels(pod.uid(), new HashSet<>(mixedVolumes)));
    }
    return oldLabels == null || !oldLabels.pod().equals(pod.uid())
        ? List.copyOf(mixedVolumes)
        : mixedVolumes.stream().filter(volume -> !oldLabels.volumes().contains(volume)).toList();
  }

  public synchronized void forget(ObjectKey pod) {
    mixedLabelsByPod.remove(pod);
  }

  public synchronized Set<LabelConflict> current() {
    Set<LabelConflict> conflicts = new LinkedHashSet<>();
    conflictsByVolume.values().forEach(conflicts::addAll);
    return conflicts;
  }
}
