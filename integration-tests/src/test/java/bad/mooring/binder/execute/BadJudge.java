package bad.mooring.binder.execute;

import bad.mooring.binder.decide.SpareVerdict;

/** R13: makes a verdict and declares its own answers. */
final class BadJudge {
  sealed interface Responsible {
    record NoOwner() implements Responsible {}
  }

  SpareVerdict judge(String reason) {
    return new SpareVerdict.Spare(reason);
  }
}
