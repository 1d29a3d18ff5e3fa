package bad.mooring.binder.decide;

import bad.mooring.model.BadClaim;
import java.util.ArrayList;

/** R14: a mutable input of a decision. */
public final class BadView {
  private BadView() {}

  public static boolean isBound(BadClaim claim, ArrayList<String> boundVolumes, int[] volumeCount) {
    return !claim.volume().isEmpty() && boundVolumes.size() == volumeCount[0];
  }
}
