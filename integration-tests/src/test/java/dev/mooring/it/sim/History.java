package dev.mooring.it.sim;

import java.util.ArrayDeque;
import java.util.Deque;

/** What happened last in a schedule, for the report of a failure. */
final class History {
  private final Deque<String> last = new ArrayDeque<>();
  private final int most;

  /**
   * Nothing has happened.
   *
   * @param most so much is kept
   */
  History(int most) {
    this.most = most;
  }

  /** Something happened. */
  void note(String what) {
    last.addLast(what);
    if (last.size() > most) {
      last.removeFirst();
    }
  }

  /** All that is kept, a line each. */
  @Override
  public String toString() {
    return String.join("\n", last);
  }
}
