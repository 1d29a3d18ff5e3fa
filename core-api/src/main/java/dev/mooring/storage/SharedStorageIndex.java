package dev.mooring.storage;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.ArrayList;
import java.util.List;

public final class SharedStorageIndex {
  public static final Index<Volume, String> BY_STORAGE =
      new Index<>("volumes by storage", volume -> VolumeIdentity.of(volume).stream().toList());

  private SharedStorageIndex() {}

  public static List<Volume> findTwins(Informer<Volume> volumes, Volume volume) {
    List<Volume> twins = new ArrayList<>();
    VolumeIdentity.of(volume)
        .ifPresent(storage ->
            volumes
                .findByIndex(BY_STORAGE, storage)
                .forEach(candidate -> {
                  if (VolumeIdentity.areTwins(volume, candidate)) {
                    twins.add(candidate);
                  }
                }));
    return twins;
  }
}
