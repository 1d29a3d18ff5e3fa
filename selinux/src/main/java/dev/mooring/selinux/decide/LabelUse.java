package dev.mooring.selinux.decide;

import java.util.Comparator;

/**
 * SELinux label of a pod's volume and the policy that applies it.
 *
 * @param label label of the mount; {@link MountLabel#NONE} if the volume is mounted without one
 * @param changePolicy {@link #MOUNT_OPTION} or {@link #RECURSIVE}
 */
public record LabelUse(MountLabel label, String changePolicy) implements Comparable<LabelUse> {
  /** Kubelet mounts the volume with the label. */
  public static final String MOUNT_OPTION = "MountOption";

  /** The container runtime relabels file by file. */
  public static final String RECURSIVE = "Recursive";

  private static final Comparator<LabelUse> ORDER =
      Comparator.comparing(LabelUse::label).thenComparing(LabelUse::changePolicy);

  @Override
  public int compareTo(LabelUse other) {
    return ORDER.compare(this, other);
  }
}
