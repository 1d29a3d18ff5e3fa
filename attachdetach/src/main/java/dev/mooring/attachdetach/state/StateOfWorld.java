package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;

/** The desired and the actual state of world. */
public record StateOfWorld(DesiredStateOfWorld desired, ActualStateOfWorld actual) {
  public StateOfWorld() {
    this(new DesiredStateOfWorld(), new ActualStateOfWorld());
  }

  public boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }
}
