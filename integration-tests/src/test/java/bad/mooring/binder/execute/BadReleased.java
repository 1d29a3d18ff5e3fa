package bad.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.Optional;

/** R13: decides on destruction outside {@code decide}. */
final class BadReleased {
  private final LiveReader reader;

  BadReleased(LiveReader reader) {
    this.reader = reader;
  }

  Optional<Volume> confirm(ObjectKey key) throws InterruptedException {
    return reader.read(Kind.VOLUME, key) instanceof ReadResult.Found<Volume>(Volume volume)
            && isReleased(volume)
        ? Optional.of(volume)
        : Optional.empty();
  }

  private boolean isReleased(Volume volume) throws InterruptedException {
    ClaimRef ref = volume.claimRef();
    boolean reclaimable =
        volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED;
    if (ref == null || ref.uid().isNone() || !reclaimable) {
      return false;
    }
    return switch (reader.read(Kind.CLAIM, ref.claim())) {
      case ReadResult.Absent<Claim> _ -> true;
      case ReadResult.Failed<Claim> _ -> false;
      case ReadResult.Found<Claim>(Claim claim) -> !claim.meta().uid().equals(ref.uid());
    };
  }
}
