package dev.mooring.manager.danger;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;

// Lower bound of the number of acts until the data is destroyed: no single act both changes the
// policy of a volume and ends its claim. The bound only prunes the search; the deciders judge every
// act.
final class ActBound {
  private final SearchInput input;

  ActBound(SearchInput input) {
    this.input = input;
  }

  int minimum(DangerState state) {
    boolean canRestore = input.objects().volumes().size() > state.objects().volumes().size();
    int minimum = canRestore ? 1 : DangerSearch.MAX_ACTS + 1;
    for (Volume volume : state.objects().volumes().values()) {
      minimum = Math.min(minimum, minimum(volume, state));
    }
    return minimum;
  }

  private static int minimum(Volume volume, DangerState state) {
    boolean isKept =
        volume.reclaimPolicy() == ReclaimPolicy.RETAIN
            || volume.reclaimPolicy() == ReclaimPolicy.UNKNOWN;
    ClaimRef ref = volume.claimRef();
    boolean isClaimed =
        ref != null
            && state
                .objects()
                .claim(ref.claim())
                .filter(claim -> claim.meta().uid().equals(ref.uid()))
                .filter(claim -> !claim.meta().isBeingDeleted())
                .filter(claim -> claim.volumeName().equals(volume.meta().name()))
                .isPresent();
    return (isKept ? 1 : 0) + (isClaimed ? 1 : 0);
  }
}
