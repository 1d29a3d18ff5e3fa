package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * The pods that want a volume.
 *
 * @param uses the pods with their targets, in the order in which they came
 */
public record WantedVolume(List<VolumeUse> uses) {
  /** A volume that no pod wants. */
  public static final WantedVolume NONE = new WantedVolume(List.of());

  /** Copies the uses. */
  public WantedVolume {
    uses = List.copyOf(uses);
  }
}
