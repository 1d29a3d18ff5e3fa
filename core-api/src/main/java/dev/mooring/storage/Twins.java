package dev.mooring.storage;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.ArrayList;
import java.util.List;

public final class Twins {
  public static final Index<Volume, String> BY_STORAGE =
      new Index<>("volumes by storage", volume -> VolumeIdentity.of(volume).stream().toList());

  private Twins() {}

  public static List<Volume> of(Informer<Volume> volumes, Volume volume) {
    List<Volume> twins = new ArrayList<>();
    VolumeIdentity.of(volume)
        .ifPresent(storage ->
            volumes
                .by(BY_STORAGE, storage)
                .forEach(other -> {
                  if (VolumeIdentity.areTwins(volume, other)) {
                    twins.add(other);
                  }
                }));
    return twins;
  }
}
