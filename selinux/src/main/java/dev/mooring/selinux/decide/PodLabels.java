package dev.mooring.selinux.decide;

import java.util.List;

/**
 * Labels of a pod's volumes.
 *
 * @param volumes volumes that other pods may share
 * @param mixed names, within the pod, of volumes that its containers mount with different labels
 */
public record PodLabels(List<Volume> volumes, List<String> mixed) {
  public static final PodLabels NONE = new PodLabels(List.of(), List.of());

  public record Volume(VolumeKey key, String driver, LabelUse use) {}
}
