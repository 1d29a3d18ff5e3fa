package dev.mooring.attachdetach.decide;

/**
 * A pod that uses a volume, and the volume as the pod addresses it.
 *
 * @param pod the pod
 * @param target the PersistentVolume, or the volume that stands in the pod
 */
public record VolumeUse(PodUse pod, AttachTarget target) {
  public String node() {
    return pod.node();
  }
}
