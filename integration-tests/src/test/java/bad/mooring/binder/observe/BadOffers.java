package bad.mooring.binder.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;

/** R13: compares a volume with a claim itself. */
final class BadOffers {
  boolean suits(Claim claim, Volume volume) {
    return volume.storage().covers(claim.request());
  }
}
