package dev.mooring.it.sim;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Resource;

/** The world around a process. */
interface Outside {
  /** How a call goes wrong. */
  enum Fault {
    NONE,
    /** Nothing was done, and no answer came. */
    LOST,
    /** It was done, and no answer came. */
    ANSWER_LOST,
    /** Nothing was done, because somebody else is said to have been first. */
    CONFLICT;

    /**
     * One of a hundred numbers' fault.
     *
     * @param conflicts whether there are conflicts as well
     */
    static Fault of(int chance, boolean conflicts) {
      return chance < 3
          ? LOST
          : chance < 6 ? ANSWER_LOST : conflicts && chance < 8 ? CONFLICT : NONE;
    }
  }

  /** The outside world may come between. */
  void point();

  /** What goes wrong with the next call. */
  Fault fault();

  /**
   * What goes wrong with that call.
   *
   * @param what as {@link #asked} was told
   */
  default Fault fault(String what) {
    return fault();
  }

  /** Whether the server answers nobody's calls, while watches go on. */
  boolean isOut();

  /** Called with every request, before it is sent: at rest there are none. */
  void asked(String what);

  /**
   * Called with a write whose process is killed while it is under way: it may reach the server all
   * the same, when others have taken over.
   */
  void underWay(Runnable write);

  /** Called with a write that was not answered: it may reach the server later. */
  void givenUp(Runnable write);

  /** Called with every write that the server took. */
  <T extends Resource> void checkWrite(T before, WriteResult<T> result);
}
