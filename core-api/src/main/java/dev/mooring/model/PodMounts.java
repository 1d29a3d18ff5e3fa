package dev.mooring.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Pod as those see it who ask what its containers mount and with which SELinux labels. Held apart
 * from {@link Pod}, because hardly anybody asks and every byte of a pod counts.
 *
 * @param meta key, uid, version, deletion; labels, annotations and finalizers are not kept
 * @param phase the phase
 * @param changePolicy {@code spec.securityContext.seLinuxChangePolicy}, "" for none
 * @param label {@code spec.securityContext.seLinuxOptions}, null for none
 * @param volumes its volumes, in their order
 * @param containers its containers that mount anything, of every sort
 */
public record PodMounts(
    Meta meta,
    Pod.Phase phase,
    String changePolicy,
    @Nullable SeLinuxOptions label,
    List<PodVolume> volumes,
    List<Container> containers)
    implements Resource {

  /**
   * SELinuxOptions: parts of a label.
   *
   * @param user the user, "" for the node's default
   * @param role the role, "" for the node's default
   * @param type the type, "" for the node's default
   * @param level the level, "" for none
   */
  public record SeLinuxOptions(String user, String role, String type, String level) {}

  /**
   * A volume of the pod.
   *
   * @param name its name within the pod
   * @param claim the claim that it stands for, "" for none
   * @param ephemeral whether that is the claim of a generic ephemeral volume
   * @param source what it is made of, if it is of an attachable kind and stands in the pod itself;
   *     else {@link VolumeSource#NONE}
   */
  public record PodVolume(String name, String claim, boolean ephemeral, VolumeSource source) {}

  /**
   * A container.
   *
   * @param label its own {@code securityContext.seLinuxOptions}, null for none
   * @param mounts names of the volumes that it mounts as file systems
   */
  public record Container(@Nullable SeLinuxOptions label, List<String> mounts) {}

  /** Whether it has run to its end. */
  public boolean isFinished() {
    return phase == Pod.Phase.SUCCEEDED || phase == Pod.Phase.FAILED;
  }

  /**
   * Whether it may share a volume with another pod, or mount one with several labels. Never changes
   * for the containers that a pod is created with.
   */
  public boolean matters() {
    return volumes.stream().anyMatch(v -> !v.claim().isEmpty() || !v.source().type().isEmpty())
        || containers.stream().anyMatch(c -> c.label() != null);
  }
}
