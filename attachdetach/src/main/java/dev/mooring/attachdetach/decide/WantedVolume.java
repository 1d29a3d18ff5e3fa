package dev.mooring.attachdetach.decide;

import java.util.List;

/**
 * The pods that want a volume.
 *
 * @param uses the pods with their targets, in the order in which they came
 */
public record WantedVolume(List<VolumeUse> uses) {
  public static final WantedVolume NONE = new WantedVolume(List.of());

  public WantedVolume {
    uses = List.copyOf(uses);
  }
}
