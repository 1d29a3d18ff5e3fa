package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;

/** What operations know about volumes on nodes. Thread-safe. */
public interface OperationFacts {
  /** Facts of a process without operations. */
  OperationFacts NONE =
      new OperationFacts() {
        @Override
        public Running running(VolumeId volume, String node) {
          return Running.NOTHING;
        }

        @Override
        public int failures(VolumeId volume, String node) {
          return 0;
        }
      };

  Running running(VolumeId volume, String node);

  /** Returns the number of failed attaches in a row. */
  int failures(VolumeId volume, String node);
}
