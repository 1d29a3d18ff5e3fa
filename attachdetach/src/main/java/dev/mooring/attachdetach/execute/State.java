package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;

/**
 * What operations see of both worlds.
 *
 * @param desired what is wanted
 * @param actual what is
 */
public record State(DesiredState desired, ActualState actual) {
  /**
   * Whether one node at a time may have the volume: a pod uses it so, or it is attached to a node
   * so.
   */
  boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }
}
