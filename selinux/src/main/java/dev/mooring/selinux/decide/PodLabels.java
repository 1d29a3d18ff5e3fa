package dev.mooring.selinux.decide;

import java.util.List;

/**
 * What a pod does with its volumes.
 *
 * @param volumes the volumes that it may share with others
 * @param mixed its own names of volumes that its containers mount with different labels
 */
public record PodLabels(List<Volume> volumes, List<String> mixed) {
  /** A pod that uses nothing. */
  public static final PodLabels NONE = new PodLabels(List.of(), List.of());

  /**
   * One volume.
   *
   * @param key which
   * @param driver the CSI driver that mounts it, "" for none
   * @param use how
   */
  public record Volume(VolumeKey key, String driver, LabelUse use) {}
}
