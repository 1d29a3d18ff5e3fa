package dev.mooring.selinux.decide;

import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import java.util.ArrayList;
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
    List<PodLabels.LabeledVolume> volumes = new ArrayList<>();
    List<String> mixedVolumes = new ArrayList<>();
    labelsByVolume(pod)
        .forEach((name, labels) -> {
          VolumeFact fact = facts.getOrDefault(name, new VolumeFact.Unbound());
          switch (fact) {
            case VolumeFact.Unbound() -> {}
            case VolumeFact.Unsupported() -> {
              if (labels.size() > 1) {
                mixedVolumes.add(name);
              }
            }
            case VolumeFact.Known knownVolume -> {
              if (labels.size() > 1) {
                mixedVolumes.add(name);
              } else {
                MountLabel label = labels.isEmpty() ? MountLabel.NONE : labels.iterator().next();
                volumes.add(
                    new PodLabels.LabeledVolume(
                        knownVolume.key(),
                        knownVolume.driver(),
                        createUse(pod, label, knownVolume.supportsLabel())));
              }
            }
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
