package dev.mooring.attachdetach.execute;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Lets so many at a time ask the server. Detaches have one, so that a storm of them does not stand
 * in front of every attach. Those that somebody waits for go first; of those that nobody waits for,
 * which are what storms are made of, only a few are under way at once. Else the order is that in
 * which they came. Waiting costs no thread. Thread-safe.
 */
public final class Lane {
  private enum State {
    NEW,
    WAITING,
    ITS_TURN,
    OVER
  }

  /** One's turn. */
  public final class Turn {
    private boolean awaited;
    private State state = State.NEW;
    private Runnable begin = () -> {};

    private Turn(boolean awaited) {
      this.awaited = awaited;
    }

    /**
     * Has that called when it is one's turn: now or later, on any thread. Whoever is called must
     * call {@link #end}.
     */
    public void whenItComes(Runnable begin) {
      synchronized (Lane.this) {
        this.begin = begin;
        state = State.WAITING;
        (awaited ? urgent : others).add(this);
      }
      letIn();
    }

    /** Somebody waits for it after all. */
    public void hurry() {
      synchronized (Lane.this) {
        if (awaited || state != State.WAITING) {
          return;
        }
        awaited = true;
        others.remove(this);
        urgent.add(this);
      }
      letIn();
    }

    /** Gives the turn back; nothing if that is done already. */
    public void end() {
      synchronized (Lane.this) {
        if (state == State.ITS_TURN) {
          free++;
          freeForOthers += awaited ? 0 : 1;
        }
        state = State.OVER;
      }
      letIn();
    }
  }

  private final SequencedSet<Turn> urgent = new LinkedHashSet<>();
  private final SequencedSet<Turn> others = new LinkedHashSet<>();
  private int free;
  private int freeForOthers;

  /**
   * A lane for so many at a time.
   *
   * @param others how many of them may be such that nobody waits for
   */
  public Lane(int width, int others) {
    this.free = width;
    this.freeForOthers = others;
  }

  /** A turn to come, for what somebody waits for, or nobody. */
  public Turn turn(boolean awaited) {
    return new Turn(awaited);
  }

  private void letIn() {
    List<Runnable> begins = new ArrayList<>(1);
    synchronized (this) {
      while (free > 0 && !urgent.isEmpty()) {
        begins.add(grant(urgent.removeFirst()));
      }
      while (free > 0 && freeForOthers > 0 && !others.isEmpty()) {
        freeForOthers--;
        begins.add(grant(others.removeFirst()));
      }
    }
    begins.forEach(Runnable::run);
  }

  private Runnable grant(Turn turn) {
    free--;
    turn.state = State.ITS_TURN;
    return turn.begin;
  }
}
