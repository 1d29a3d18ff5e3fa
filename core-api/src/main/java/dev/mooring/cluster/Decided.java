package dev.mooring.cluster;

import dev.mooring.model.Reasoned;
import dev.mooring.workqueue.OwnDoing;

/** Notes what was decided, on its way from whoever decides to whoever does it. */
public final class Decided {
  private Decided() {}

  /**
   * That was decided: whatever this thread does next for its key is done because of it.
   *
   * @param decision a constant of an enum, or a record of its own for each thing to do; their names
   *     are what is noted
   * @return the same decision
   */
  public static <D> D by(D decision) {
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null) {
      activity.decided(
          decision instanceof Enum<?> constant
              ? constant.name()
              : decision.getClass().getSimpleName(),
          decision instanceof Reasoned reasoned ? reasoned.why().code() : "");
    }
    return decision;
  }
}
