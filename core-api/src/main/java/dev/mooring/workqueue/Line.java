package dev.mooring.workqueue;

import dev.mooring.workqueue.Keys.Entry;
import org.jspecify.annotations.Nullable;

/**
 * One owner's entries, in the order in which they are taken: those brought forward, then the
 * others; of which one is taken after {@value #IN_A_ROW} of the former, so that nothing waits for
 * ever. Not thread-safe: the queue's lock guards it.
 */
final class Line<K> {
  /** How many that were brought forward are taken while others wait. */
  static final int IN_A_ROW = 8;

  private final Object owner;
  private final Entries<K> forward = new Entries<>();
  private final Entries<K> others = new Entries<>();
  private int inRow;

  Line(Object owner) {
    this.owner = owner;
  }

  Object owner() {
    return owner;
  }

  void add(Entry<K> entry) {
    (entry.isForward() ? forward : others).add(entry);
  }

  /** One of the others no longer is. */
  void bringForward(Entry<K> entry) {
    others.remove(entry);
    forward.add(entry);
  }

  /** The next one; null for none. */
  @Nullable Entry<K> poll() {
    if (forward.size() > 0 && (others.size() == 0 || inRow < IN_A_ROW)) {
      inRow++;
      return forward.poll();
    }
    inRow = 0;
    return others.poll();
  }

  int size() {
    return forward.size() + others.size();
  }
}
