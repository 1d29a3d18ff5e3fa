package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeNode;

/** Adds keys to the controller's queues. Quick; thread-safe. */
public interface AttachRequeue {
  void volume(VolumeNode where);

  // Requeues the write of a node's status.
  void status(String node);

  // Like status, with a pause between two writes while more volumes are attached.
  void statusOfMany(String node);

  // Like status, after another client's list has stood for a while.
  void foreignStatus(String node);

  void trigger(PopulatorTrigger trigger);

  default void volumeAndStatus(VolumeNode where) {
    volume(where);
    status(where.node());
  }
}
