package bad.mooring.binder.decide;

import bad.mooring.model.BadClaim;
import java.util.ArrayList;

/** R14: a mutable input of a decision. */
public final class BadView {
  private BadView() {}

  public static boolean isBound(BadClaim claim, ArrayList<String> seen, int[] counts) {
    return !claim.volume().isEmpty() && seen.size() == counts[0];
  }
}
