package dev.mooring.selinux.state;

import dev.mooring.model.ObjectKey;
import dev.mooring.selinux.decide.LabelUse;
import dev.mooring.selinux.decide.LabelView;
import dev.mooring.selinux.decide.LabelView.Group;
import dev.mooring.selinux.decide.PodLabels;
import dev.mooring.selinux.decide.VolumeKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Index of pods by volume, label and policy. An update costs O(volumes of the pod); a view costs
 * O(label and policy combinations of the volume). Thread-safe.
 */
public final class VolumeUseIndex {
  private final Map<ObjectKey, List<PodLabels.Volume>> byPod = new HashMap<>();
  private final Map<VolumeKey, SortedMap<LabelUse, SortedSet<ObjectKey>>> byVolume =
      new HashMap<>();
  private final Map<String, SortedMap<ObjectKey, Integer>> byDriver = new HashMap<>();

  /**
   * Replaces the volumes of a pod.
   *
   * @param volumes the pod's current volumes; empty if the pod is gone
   * @return volumes whose users changed
   */
  public synchronized Set<VolumeKey> replace(ObjectKey pod, List<PodLabels.Volume> volumes) {
    List<PodLabels.Volume> before = byPod.getOrDefault(pod, List.of());
    Set<VolumeKey> changed = new HashSet<>();
    for (PodLabels.Volume volume : before) {
      if (!volumes.contains(volume)) {
        changed.add(volume.key());
      }
      remove(pod, volume);
    }
    for (PodLabels.Volume volume : volumes) {
      if (!before.contains(volume)) {
        changed.add(volume.key());
      }
      add(pod, volume);
    }
    if (volumes.isEmpty()) {
      byPod.remove(pod);
    } else {
      byPod.put(pod, volumes);
    }
    return changed;
  }

  private void add(ObjectKey pod, PodLabels.Volume volume) {
    byVolume
        .computeIfAbsent(volume.key(), v -> new TreeMap<>())
        .computeIfAbsent(volume.use(), u -> new TreeSet<>())
        .add(pod);
    byDriver.computeIfAbsent(volume.driver(), d -> new TreeMap<>()).merge(pod, 1, Integer::sum);
  }

  private void remove(ObjectKey pod, PodLabels.Volume volume) {
    byVolume.computeIfPresent(
        volume.key(),
        (key, uses) -> {
          uses.computeIfPresent(
              volume.use(),
              (use, pods) -> {
                pods.remove(pod);
                return pods.isEmpty() ? null : pods;
              });
          return uses.isEmpty() ? null : uses;
        });
    byDriver.computeIfPresent(
        volume.driver(),
        (driver, pods) -> {
          pods.computeIfPresent(pod, (key, times) -> times == 1 ? null : times - 1);
          return pods.isEmpty() ? null : pods;
        });
  }

  public synchronized LabelView view(VolumeKey volume, int most) {
    List<Group> groups = new ArrayList<>();
    byVolume
        .getOrDefault(volume, new TreeMap<>())
        .forEach((use, pods) -> groups.add(new Group(use, pods.stream().limit(most).toList())));
    return new LabelView(List.copyOf(groups));
  }

  public synchronized List<ObjectKey> podsOf(String driver) {
    return List.copyOf(byDriver.getOrDefault(driver, new TreeMap<>()).keySet());
  }

  @Override
  public synchronized String toString() {
    return byPod.size() + " pods, " + byVolume.size() + " volumes, " + byDriver.size() + " drivers";
  }
}
