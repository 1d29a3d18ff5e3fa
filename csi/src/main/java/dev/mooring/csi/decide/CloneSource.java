package dev.mooring.csi.decide;

import dev.mooring.model.ObjectKey;

/** Object that a new volume is filled from. It keeps a finalizer while it is copied. */
public record CloneSource(Type type, ObjectKey key) {
  public enum Type {
    CLAIM,
    SNAPSHOT
  }

  @Override
  public String toString() {
    return (type == Type.CLAIM ? "claim " : "snapshot ") + key;
  }
}
