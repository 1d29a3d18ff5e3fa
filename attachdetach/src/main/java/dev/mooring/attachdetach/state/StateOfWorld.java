package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;

/**
 * State that several classes of the controller share: the desired and the actual state of world,
 * attempts to attach and detach, nodes that may be dead, writes of node statuses, and the locks of
 * volumes.
 */
public record StateOfWorld(
    DesiredStateOfWorld desired,
    ActualStateOfWorld actual,
    AttachAttempts attempts,
    SuspectNodes suspects,
    StatusWrites writes,
    VolumeLocks locks) {
  public StateOfWorld() {
    this(
        new DesiredStateOfWorld(),
        new ActualStateOfWorld(),
        new AttachAttempts(),
        new SuspectNodes(),
        new StatusWrites(),
        new VolumeLocks());
  }

  public boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }
}
