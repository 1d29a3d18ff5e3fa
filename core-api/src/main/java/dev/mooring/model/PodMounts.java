package dev.mooring.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Mounts and SELinux labels of a pod's containers. Separate from {@link Pod} to save memory,
 * because only one controller uses these fields.
 *
 * @param meta key, uid, version, deletion; without labels, annotations and finalizers
 * @param phase phase
 * @param changePolicy {@code spec.securityContext.seLinuxChangePolicy}; "" if absent
 * @param label {@code spec.securityContext.seLinuxOptions}; null if absent
 * @param volumes all volumes, in their order
 * @param containers containers of all types that mount a volume
 */
public record PodMounts(
    Meta meta,
    Pod.Phase phase,
    String changePolicy,
    @Nullable SeLinuxOptions label,
    List<PodVolume> volumes,
    List<Container> containers)
    implements Resource {

  public record SeLinuxOptions(String user, String role, String type, String level) {}

  /**
   * A volume of the pod.
   *
   * @param name name within the pod
   * @param claim name of the claim; "" if none
   * @param ephemeral whether the claim belongs to a generic ephemeral volume
   * @param source source of an attachable inline volume; otherwise {@link VolumeSource#NONE}
   */
  public record PodVolume(String name, String claim, boolean ephemeral, VolumeSource source) {}

  /**
   * A container.
   *
   * @param label {@code securityContext.seLinuxOptions} of the container; null if absent
   * @param mounts names of the volumes that it mounts as file systems
   */
  public record Container(@Nullable SeLinuxOptions label, List<String> mounts) {}

  public boolean isFinished() {
    return phase == Pod.Phase.SUCCEEDED || phase == Pod.Phase.FAILED;
  }

  /**
   * Returns whether the pod may share a volume with another pod or mount one with several labels.
   * Never changes for the containers that the pod was created with.
   */
  public boolean hasSharedOrLabelledVolumes() {
    return volumes.stream().anyMatch(v -> !v.claim().isEmpty() || !v.source().type().isEmpty())
        || containers.stream().anyMatch(c -> c.label() != null);
  }
}
