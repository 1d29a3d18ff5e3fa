package dev.mooring.it.sim;

/** A fault of one call. */
enum Fault {
  NONE,

  /** The call had no effect, and the caller gets no answer. */
  LOST,

  /** The call had its effect, and the caller gets no answer. */
  ANSWER_LOST,

  /** The call had no effect, and the caller gets a conflict. */
  CONFLICT;

  /** Returns the fault for a number below 100. */
  static Fault of(int chance) {
    return chance < 3 ? LOST : chance < 6 ? ANSWER_LOST : chance < 8 ? CONFLICT : NONE;
  }
}
