package dev.mooring.selinux.decide;

import java.util.List;

/**
 * Labels of a pod's volumes.
 *
 * @param volumes volumes that other pods may share
 * @param mixedVolumes names, within the pod, of volumes that its containers mount with different
 *     labels
 */
public record PodLabels(List<LabeledVolume> volumes, List<String> mixedVolumes) {
  public static final PodLabels NONE = new PodLabels(List.of(), List.of());

  public record LabeledVolume(VolumeKey key, String driver, LabelUse use) {}
}
