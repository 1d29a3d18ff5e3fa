package dev.mooring.it.sim;

/** Fault: the result of one call of a controller to the API server or the storage. */
enum CallFault {
  NONE,

  /** The request is lost: the callee does nothing, and the caller gets no response. */
  LOST,

  /** The response is lost: the callee does the work, but the caller gets no response. */
  ANSWER_LOST,

  /**
   * The API server reports a conflict with another write and changes nothing. Calls to the storage
   * treat it like {@link #LOST}.
   */
  CONFLICT;

  /**
   * Returns the fault for a random number from 0 to 99: 3 % lost requests, 3 % lost responses, 2 %
   * conflicts.
   */
  static CallFault ofChance(int chance) {
    return chance < 3 ? LOST : chance < 6 ? ANSWER_LOST : chance < 8 ? CONFLICT : NONE;
  }
}
