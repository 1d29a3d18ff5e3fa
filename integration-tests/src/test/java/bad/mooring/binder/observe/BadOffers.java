package bad.mooring.binder.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;

/** R13: compares for itself what a volume has with what a claim asks for. */
final class BadOffers {
  boolean suits(Claim claim, Volume volume) {
    return volume.storage().covers(claim.request());
  }
}
