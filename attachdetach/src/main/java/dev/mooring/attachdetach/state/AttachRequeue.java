package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeNode;

/** Adds keys to the controller's queues. Quick; thread-safe. */
public interface AttachRequeue {
  void requeueVolume(VolumeNode volumeNode);

  // Requeues the write of a node's status.
  void requeueStatus(String node);

  // Like status, with a pause between two writes while more volumes are attached.
  void requeueBatchedStatus(String node);

  // Like status, after another client's list has stood for a while.
  void requeueForeignStatus(String node);

  void addTrigger(PopulatorTrigger trigger);

  default void requeueVolumeAndStatus(VolumeNode volumeNode) {
    requeueVolume(volumeNode);
    requeueStatus(volumeNode.node());
  }
}
