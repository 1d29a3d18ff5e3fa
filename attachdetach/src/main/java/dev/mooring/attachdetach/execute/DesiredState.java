package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import java.util.List;

/** What operations have to know of what is wanted, at this moment. Thread-safe. */
public interface DesiredState {
  /** Whether a pod uses the volume in a way that allows one node at a time. */
  boolean isExclusive(VolumeId id);

  /** How a volume is wanted, with every pod that uses it. */
  WantedVolume wanted(VolumeId id);

  /** Whether the controller attaches the node's volumes. */
  boolean isManaged(String node);

  /** Whether a pod on the node uses the volume. */
  boolean wants(VolumeId id, String node);

  /** The pods on the node that use the volume, in the order in which they came. */
  List<VolumeUse> uses(VolumeId id, String node);
}
