package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;

/** Desired and actual state of world, as operations see them. */
public record StateOfWorld(DesiredState desired, ActualState actual) {
  boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }
}
