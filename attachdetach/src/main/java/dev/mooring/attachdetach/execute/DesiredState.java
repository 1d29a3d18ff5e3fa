package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operations have to know of what is wanted, at this moment. Thread-safe. */
public interface DesiredState {
  /** The volume; null if nobody wants it. */
  @Nullable AttachTarget target(VolumeId id);

  /** How a volume is wanted, with every pod that uses it. */
  WantedVolume wanted(VolumeId id);

  /** Whether a pod on the node uses the volume. */
  boolean wants(VolumeId id, String node);

  /**
   * The volume's name as the pod's own volumes give it: another pod may use the same storage
   * through a PersistentVolume of another namespace. Empty if the pod does not use it any more.
   */
  Optional<String> titleFor(ObjectKey pod, VolumeId id);

  /** The pods on the node that use the volume, those first that came first. */
  List<PodUse> uses(VolumeId id, String node);
}
