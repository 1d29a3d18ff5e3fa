package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.VolumeId;

/** Running operations. Thread-safe. */
@FunctionalInterface
public interface RunningOperations {
  Operation operation(VolumeId volume, String node);
}
