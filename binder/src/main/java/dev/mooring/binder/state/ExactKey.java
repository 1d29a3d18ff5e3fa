package dev.mooring.binder.state;

import dev.mooring.binder.decide.MatchKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;

/**
 * Properties that claim and volume must share exactly. Comparable, so that hash maps stay fast if a
 * user chooses class names with colliding hashes.
 */
record ExactKey(String className, VolumeMode mode, String attributesClass)
    implements Comparable<ExactKey> {
  static ExactKey of(MatchKey key) {
    return new ExactKey(key.className(), key.mode(), key.attributesClass());
  }

  static ExactKey of(Volume volume) {
    return new ExactKey(volume.storageClass(), volume.volumeMode(), volume.attributesClass());
  }

  @Override
  public int compareTo(ExactKey other) {
    int byClass = className.compareTo(other.className);
    int byMode = byClass != 0 ? byClass : mode.compareTo(other.mode);
    return byMode != 0 ? byMode : attributesClass.compareTo(other.attributesClass);
  }
}
