package dev.mooring.selinux.decide;

import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Determines the labels of a pod's volumes. */
public final class UseDecider {
  private UseDecider() {}

  public static PodLabels decide(PodMounts pod, Map<String, VolumeFact> facts) {
    if (pod.isFinished()) {
      return PodLabels.NONE;
    }
    List<String> mixedVolumes = new ArrayList<>();
    // several volumes of the pod may be one claim
    Map<VolumeFact.Known, Map<String, Set<MountLabel>>> labelsByKnownVolume = new LinkedHashMap<>();
    labelsByVolume(pod)
        .forEach((name, labels) -> {
          switch (facts.getOrDefault(name, new VolumeFact.Unbound())) {
            case VolumeFact.Unbound() -> {}
            case VolumeFact.Unsupported() -> {
              if (labels.size() > 1) {
                mixedVolumes.add(name);
              }
            }
            case VolumeFact.Known volume ->
                labelsByKnownVolume.computeIfAbsent(volume, v -> new TreeMap<>()).put(name, labels);
          }
        });
    List<PodLabels.LabeledVolume> volumes = new ArrayList<>();
    labelsByKnownVolume.forEach((volume, labelsByName) -> {
      Set<MountLabel> labels = new TreeSet<>();
      labelsByName.values().forEach(labels::addAll);
      if (labels.size() > 1) {
        mixedVolumes.addAll(labelsByName.keySet());
      } else {
        MountLabel label = labels.isEmpty() ? MountLabel.NONE : labels.iterator().next();
        LabelUse use = createUse(pod, label, volume.supportsLabel());
        volumes.add(new PodLabels.LabeledVolume(volume.key(), volume.driver(), use));
      }
    });
    return new PodLabels(List.copyOf(volumes), List.copyOf(mixedVolumes));
  }

  private static LabelUse createUse(PodMounts pod, MountLabel label, boolean takesLabel) {
    String policy = pod.changePolicy().isEmpty() ? LabelUse.MOUNT_OPTION : pod.changePolicy();
    boolean isMountedWithLabel =
        takesLabel && !policy.equals(LabelUse.RECURSIVE) && !label.equals(MountLabel.NONE);
    return isMountedWithLabel
        ? new LabelUse(label, policy)
        : new LabelUse(MountLabel.NONE, LabelUse.RECURSIVE);
  }

  // A container's options replace all options of the pod, as in Kubernetes.
  private static Map<String, Set<MountLabel>> labelsByVolume(PodMounts pod) {
    Map<String, Set<MountLabel>> labels = new TreeMap<>();
    for (PodMounts.Container container : pod.containers()) {
      SeLinuxOptions options = container.label() == null ? pod.label() : container.label();
      for (String volume : container.mounts()) {
        Set<MountLabel> volumeLabels = labels.computeIfAbsent(volume, v -> new TreeSet<>());
        if (options != null) {
          volumeLabels.add(MountLabel.of(options));
        }
      }
    }
    return labels;
  }
}
