package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import java.util.List;

/** Desired state of world as operations see it. Thread-safe. */
public interface DesiredState {
  /** Returns whether a pod uses the volume in a way that allows only one node. */
  boolean isExclusive(VolumeId id);

  WantedVolume wanted(VolumeId id);

  /** Returns whether the controller attaches the node's volumes. */
  boolean isManaged(String node);

  boolean wants(VolumeId id, String node);

  /** Returns the uses on the node, oldest first. */
  List<VolumeUse> uses(VolumeId id, String node);
}
