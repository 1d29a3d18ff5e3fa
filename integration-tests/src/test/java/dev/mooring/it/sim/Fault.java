package dev.mooring.it.sim;

/** How a call goes wrong. */
enum Fault {
  NONE,

  /** Nothing was done, and no answer came. */
  LOST,

  /** It was done, and no answer came. */
  ANSWER_LOST,

  /** Nothing was done, because somebody else is said to have been first. */
  CONFLICT;

  /** One of a hundred numbers' fault. */
  static Fault of(int chance) {
    return chance < 3 ? LOST : chance < 6 ? ANSWER_LOST : chance < 8 ? CONFLICT : NONE;
  }
}
