package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;

/** Desired and actual state of world, as operations see them. */
public record StateOfWorld(DesiredState desired, ActualState actual) {
  /** Returns whether only one node may have the volume, by a pod's use or by an attachment. */
  boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }
}
