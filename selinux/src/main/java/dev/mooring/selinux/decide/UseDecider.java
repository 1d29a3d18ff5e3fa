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
    List<PodLabels.Volume> volumes = new ArrayList<>();
    List<String> mixed = new ArrayList<>();
    labels(pod)
        .forEach((name, labels) -> {
          VolumeFact fact = facts.getOrDefault(name, new VolumeFact.Waits());
          switch (fact) {
            case VolumeFact.Waits() -> {}
            case VolumeFact.Plain() -> {
              if (labels.size() > 1) {
                mixed.add(name);
              }
            }
            case VolumeFact.Known known -> {
              if (labels.size() > 1) {
                mixed.add(name);
              } else {
                MountLabel label = labels.isEmpty() ? MountLabel.NONE : labels.iterator().next();
                volumes.add(
                    new PodLabels.Volume(
                        known.key(), known.driver(), use(pod, label, known.takesLabel())));
              }
            }
          }
        });
    return new PodLabels(List.copyOf(volumes), List.copyOf(mixed));
  }

  private static LabelUse use(PodMounts pod, MountLabel label, boolean takesLabel) {
    String policy = pod.changePolicy().isEmpty() ? LabelUse.MOUNT_OPTION : pod.changePolicy();
    boolean mounted =
        takesLabel && !policy.equals(LabelUse.RECURSIVE) && !label.equals(MountLabel.NONE);
    return mounted
        ? new LabelUse(label, policy)
        : new LabelUse(MountLabel.NONE, LabelUse.RECURSIVE);
  }

  // A container's options replace all options of the pod, as in Kubernetes.
  private static Map<String, Set<MountLabel>> labels(PodMounts pod) {
    Map<String, Set<MountLabel>> labels = new TreeMap<>();
    for (PodMounts.Container container : pod.containers()) {
      SeLinuxOptions options = container.label() == null ? pod.label() : container.label();
      for (String volume : container.mounts()) {
        Set<MountLabel> of = labels.computeIfAbsent(volume, v -> new TreeSet<>());
        if (options != null) {
          of.add(MountLabel.of(options));
        }
      }
    }
    return labels;
  }
}
