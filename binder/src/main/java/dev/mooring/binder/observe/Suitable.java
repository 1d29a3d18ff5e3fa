package dev.mooring.binder.observe;

import dev.mooring.binder.decide.VolumeCatalogue;
import dev.mooring.binder.decide.VolumeCatalogue.Shelf;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The free volumes that a claim could be given, in no particular order. Not thread-safe: only to be
 * used under the ledger's lock.
 */
final class Suitable extends LookingAhead<Volume> {
  private final Claim claim;
  private final Deque<Iterator<Volume>> shelves = new ArrayDeque<>();

  Suitable(Claim claim, VolumeCatalogue volumes) {
    this.claim = claim;
    int asked = claim.accessModes().mask();
    for (int modes = 0; modes < AccessModes.MASKS; modes++) {
      if ((modes & asked) == asked) {
        Shelf shelf =
            new Shelf(claim.className(), claim.volumeMode(), claim.attributesClass(), modes);
        shelves.add(volumes.free(shelf, claim.request()));
      }
    }
  }

  @Override
  @Nullable Volume look() {
    while (!shelves.isEmpty()) {
      if (!shelves.getFirst().hasNext()) {
        shelves.removeFirst();
        continue;
      }
      Volume volume = shelves.getFirst().next();
      if (claim.selector() == null || claim.selector().matches(volume.meta().labels())) {
        return volume;
      }
    }
    return null;
  }
}
