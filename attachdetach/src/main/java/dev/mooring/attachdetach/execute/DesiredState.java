package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import java.util.List;

/** Desired state of world as operations see it. Thread-safe. */
public interface DesiredState {
  boolean isExclusive(VolumeId id);

  WantedVolume wanted(VolumeId id);

  boolean isManaged(String node);

  boolean wants(VolumeId id, String node);

  List<VolumeUse> uses(VolumeId id, String node);
}
