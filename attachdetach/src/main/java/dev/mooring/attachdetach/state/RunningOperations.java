package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;

/** Running operations. Thread-safe. */
@FunctionalInterface
public interface RunningOperations {
  Running running(VolumeId volume, String node);
}
