package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.Optional;

/** Asks the server whether a volume may be destroyed. What cannot be found out is a no. */
final class StillReleased {
  private final LiveReader reader;

  StillReleased(LiveReader reader) {
    this.reader = reader;
  }

  /** The volume as the server has it now, if its claim is gone for certain, of this very uid. */
  Optional<Volume> confirm(ObjectKey key) throws InterruptedException {
    return reader.read(Kind.VOLUME, key) instanceof ReadResult.Found<Volume>(Volume volume)
            && isReleased(volume)
        ? Optional.of(volume)
        : Optional.empty();
  }

  private boolean isReleased(Volume volume) throws InterruptedException {
    ClaimRef ref = volume.claimRef();
    if (ref == null) {
      return volume.meta().isBeingDeleted(); // nobody's, and somebody wants it gone
    }
    boolean reclaimable =
        volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED;
    if (ref.uid().isNone() || !reclaimable) {
      return false;
    }
    return switch (reader.read(Kind.CLAIM, ref.claim())) {
      case ReadResult.Absent<Claim> _ -> true;
      case ReadResult.Failed<Claim> _ -> false;
      case ReadResult.Found<Claim>(Claim claim) ->
          !claim.meta().uid().equals(ref.uid())
              || (!claim.volumeName().isEmpty()
                  && !claim.volumeName().equals(volume.meta().name()));
    };
  }
}
