package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WantedVolume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operations have to know of what is wanted, at this moment. Thread-safe. */
public interface DesiredState {
  /** The volume; null if nobody wants it. */
  @Nullable AttachTarget target(VolumeId id);

  /** How a volume is wanted, with every pod that uses it. */
  WantedVolume wanted(VolumeId id);

  /** Whether a pod on the node uses the volume. */
  boolean wants(VolumeId id, String node);

  /** The pods on the node that use the volume, those first that came first. */
  List<PodUse> uses(VolumeId id, String node);
}
