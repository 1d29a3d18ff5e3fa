package dev.mooring.workqueue;

import dev.mooring.workqueue.Keys.Entry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One owner's entries, in the order in which they are taken: those brought forward, then the
 * others; of which one is taken after {@value #IN_A_ROW} of the former, so that nothing waits for
 * ever. Not thread-safe: the queue's lock guards it.
 */
final class Line<K> {
  /** How many that were brought forward are taken while others wait. */
  static final int IN_A_ROW = 8;

  private static final int FEW = 3;

  private final Object owner;
  private final ArrayDeque<Entry<K>> others = new ArrayDeque<>(FEW);
  private @Nullable ArrayDeque<Entry<K>> forward; // most lines never have any
  private int replaced; // of the others, by one brought forward
  private int inRow;

  Line(Object owner) {
    this.owner = owner;
  }

  Object owner() {
    return owner;
  }

  void add(Entry<K> entry) {
    if (entry.isForward()) {
      addForward(entry);
    } else {
      others.add(entry);
    }
  }

  /** Comes forward, in place of one of the others. */
  void bringForward(Entry<K> entry) {
    replaced++;
    if (replaced > others.size() / 2) { // what is passed over is not kept for ever
      others.removeIf(Entry::isReplaced);
      replaced = 0;
    }
    addForward(entry);
  }

  private void addForward(Entry<K> entry) {
    if (forward == null) {
      forward = new ArrayDeque<>(FEW);
    }
    forward.add(entry);
  }

  /** The next one; null for none. */
  @Nullable Entry<K> poll() {
    if (forward != null && !forward.isEmpty() && (inRow < IN_A_ROW || others() == 0)) {
      inRow++;
      return forward.poll();
    }
    inRow = 0;
    Entry<K> entry = others.poll();
    while (entry != null && entry.isReplaced()) {
      replaced--;
      entry = others.poll();
    }
    return entry;
  }

  private int others() {
    return others.size() - replaced;
  }

  int size() {
    return others() + (forward == null ? 0 : forward.size());
  }
}
