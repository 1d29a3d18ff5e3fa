package dev.mooring.selinux.state;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
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
  private final Map<ObjectKey, List<PodLabels.LabeledVolume>> volumesByPod = new HashMap<>();
  private final Map<ObjectKey, Uid> uidsByPod = new HashMap<>();
  private final Map<VolumeKey, SortedMap<LabelUse, SortedSet<ObjectKey>>> podsByVolume =
      new HashMap<>();
  private final Map<String, SortedMap<ObjectKey, Integer>> podsByDriver = new HashMap<>();

  /**
   * Replaces the volumes of a pod.
   *
   * @param volumes the pod's current volumes; empty if the pod is gone
   * @return volumes whose users changed
   */
  public synchronized Set<VolumeKey> replace(ObjectKey pod, List<PodLabels.LabeledVolume> volumes) {
    List<PodLabels.LabeledVolume> oldVolumes = volumesByPod.getOrDefault(pod, List.of());
    Set<VolumeKey> changedVolumes = new HashSet<>();
    for (PodLabels.LabeledVolume volume : oldVolumes) {
      if (!volumes.contains(volume)) {
        changedVolumes.add(volume.key());
      }
      removeUse(pod, volume);
    }
    for (PodLabels.LabeledVolume volume : volumes) {
      if (!oldVolumes.contains(volume)) {
        changedVolumes.add(volume.key());
      }
      addUse(pod, volume);
    }
    if (volumes.isEmpty()) {
      volumesByPod.remove(pod);
      uidsByPod.remove(pod);
    } else {
      volumesByPod.put(pod, volumes);
    }
    return changedVolumes;
  }

  // Removes the uses of an earlier pod of that name; returns its volumes.
  public synchronized Set<VolumeKey> removeEarlier(ObjectKey pod, Uid uid) {
    Uid knownUid = uidsByPod.getOrDefault(pod, uid);
    Set<VolumeKey> changedVolumes = knownUid.equals(uid) ? Set.of() : replace(pod, List.of());
    uidsByPod.put(pod, uid);
    return changedVolumes;
  }

  private void addUse(ObjectKey pod, PodLabels.LabeledVolume volume) {
    podsByVolume
        .computeIfAbsent(volume.key(), v -> new TreeMap<>())
        .computeIfAbsent(volume.use(), u -> new TreeSet<>())
        .add(pod);
    podsByDriver.computeIfAbsent(volume.driver(), d -> new TreeMap<>()).merge(pod, 1, Integer::sum);
  }

  private void removeUse(ObjectKey pod, PodLabels.LabeledVolume volume) {
    podsByVolume.computeIfPresent(
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
    podsByDriver.computeIfPresent(
        volume.driver(),
        (driver, pods) -> {
          pods.computeIfPresent(pod, (key, count) -> count == 1 ? null : count - 1);
          return pods.isEmpty() ? null : pods;
        });
  }

  public synchronized LabelView view(VolumeKey volume, int maxPods) {
    List<Group> groups = new ArrayList<>();
    podsByVolume
        .getOrDefault(volume, new TreeMap<>())
        .forEach((use, pods) -> groups.add(new Group(use, pods.stream().limit(maxPods).toList())));
    return new LabelView(List.copyOf(groups));
  }

  public synchronized List<ObjectKey> podsOf(String driver) {
    return List.copyOf(podsByDriver.getOrDefault(driver, new TreeMap<>()).keySet());
  }

  @Override
  public synchronized String toString() {
    return volumesByPod.size()
        + " pods, "
        + podsByVolume.size()
        + " volumes, "
        + podsByDriver.size()
        + " drivers";
  }
}
