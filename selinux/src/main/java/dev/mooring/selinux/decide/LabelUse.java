package dev.mooring.selinux.decide;

import java.util.Comparator;

/**
 * How a pod gets its label onto a volume.
 *
 * @param label the label that the volume is mounted with, {@link MountLabel#NONE} for none
 * @param changePolicy MountOption, or Recursive where files are labelled one by one
 */
public record LabelUse(MountLabel label, String changePolicy) implements Comparable<LabelUse> {
  /** The volume is mounted with the label. */
  public static final String MOUNT_OPTION = "MountOption";

  /** The files are labelled one by one. */
  public static final String RECURSIVE = "Recursive";

  private static final Comparator<LabelUse> ORDER =
      Comparator.comparing(LabelUse::label).thenComparing(LabelUse::changePolicy);

  @Override
  public int compareTo(LabelUse other) {
    return ORDER.compare(this, other);
  }
}
