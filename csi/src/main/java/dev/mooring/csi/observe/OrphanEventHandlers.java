package dev.mooring.csi.observe;

import dev.mooring.csi.decide.AbandonedVolume;
import dev.mooring.csi.decide.OrphanRules;
import dev.mooring.csi.state.OrphanMemory;
import dev.mooring.informer.Change;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import java.util.Optional;

/** Remembers the volumes of a driver whose objects vanish, and forgets those that get another. */
public record OrphanEventHandlers(String driver, OrphanMemory memory) {
  public void volumeChanged(Change<Volume> change) {
    Volume volume = change.object();
    Optional<String> handle = DriverVolumes.handle(volume, driver);
    if (handle.isEmpty()) {
      return;
    }
    switch (change) {
      case Change.Added<Volume> _, Change.Updated<Volume> _ ->
          memory.forgetOther(handle.get(), volume.meta().uid());
      case Change.Deleted<Volume>(Volume last, boolean isFoundByList) -> {
        if (OrphanRules.isAbandoned(last, isFoundByList)) {
          memory.recordVanished(AbandonedVolume.of(last, handle.get(), false));
        }
      }
    }
  }
}
