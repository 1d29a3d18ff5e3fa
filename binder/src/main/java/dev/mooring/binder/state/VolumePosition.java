package dev.mooring.binder.state;

import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;

/** Position of a volume in search order: the smallest, then the oldest, then the first by name. */
record VolumePosition(Quantity storage, long created, String name)
    implements Comparable<VolumePosition> {
  static VolumePosition of(Volume volume) {
    return new VolumePosition(volume.storage(), volume.meta().created(), volume.meta().name());
  }

  static VolumePosition atLeast(Quantity storage) {
    return new VolumePosition(storage, Long.MIN_VALUE, "");
  }

  @Override
  public int compareTo(VolumePosition other) {
    int bySize = storage.compareTo(other.storage);
    if (bySize != 0) {
      return bySize;
    }
    int byAge = Long.compare(created, other.created);
    return byAge != 0 ? byAge : name.compareTo(other.name);
  }
}
