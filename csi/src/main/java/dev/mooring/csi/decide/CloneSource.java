package dev.mooring.csi.decide;

import dev.mooring.model.ObjectKey;

/**
 * What volumes are filled from, and what is held meanwhile.
 *
 * @param type what it is
 * @param key which one; one that an object can have
 */
public record CloneSource(Type type, ObjectKey key) {
  /** What volumes can be filled from. */
  public enum Type {
    /** The volume of another claim. */
    CLAIM,
    /** A VolumeSnapshot. */
    SNAPSHOT
  }

  @Override
  public String toString() {
    return (type == Type.CLAIM ? "claim " : "snapshot ") + key;
  }
}
