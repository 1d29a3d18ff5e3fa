package dev.mooring.attachdetach.decide;

import java.util.List;

/** Pods that want a volume, oldest first. */
public record WantedVolume(List<VolumeUse> uses) {
  public static final WantedVolume NONE = new WantedVolume(List.of());

  public WantedVolume {
    uses = List.copyOf(uses);
  }
}
