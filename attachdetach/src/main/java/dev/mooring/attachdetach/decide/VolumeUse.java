package dev.mooring.attachdetach.decide;

/**
 * Pod that uses a volume, and the address by which it does.
 *
 * @param target the PersistentVolume, or the volume inline in the pod
 */
public record VolumeUse(PodUse pod, AttachTarget target) {
  public String node() {
    return pod.node();
  }
}
