package bad.mooring.binder.execute;

import bad.mooring.binder.decide.SpareVerdict;

/** R13: makes up a verdict, and knows answers of its own. */
final class BadJudge {
  /** R13: an answer that decide does not know. */
  sealed interface Responsible {
    record Nobody() implements Responsible {}
  }

  SpareVerdict judge(String why) {
    return new SpareVerdict.Spare(why);
  }
}
