package dev.mooring.workqueue;

import dev.mooring.workqueue.ActiveKeys.Entry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Queued entries of one owner: expedited entries first, then the others. One of the others is taken
 * after {@value #MAX_EXPEDITED_IN_ROW} expedited entries, which prevents starvation. Not
 * thread-safe; guarded by the queue's lock.
 */
final class OwnerQueue<K> {
  static final int MAX_EXPEDITED_IN_ROW = 8;

  private static final int INITIAL_CAPACITY = 3;

  private final Object owner;
  private final ArrayDeque<Entry<K>> regular = new ArrayDeque<>(INITIAL_CAPACITY);
  private @Nullable ArrayDeque<Entry<K>> expedited; // null for most owners
  private int replacedCount; // regular entries that an expedited entry replaces
  private int expeditedInRow;

  OwnerQueue(Object owner) {
    this.owner = owner;
  }

  Object owner() {
    return owner;
  }

  void add(Entry<K> entry) {
    if (entry.isExpedited()) {
      addExpedited(entry);
    } else {
      regular.add(entry);
    }
  }

  void expedite(Entry<K> entry) {
    replacedCount++;
    if (replacedCount > regular.size() / 2) { // bounds the number of skipped entries
      regular.removeIf(Entry::isReplaced);
      replacedCount = 0;
    }
    addExpedited(entry);
  }

  private void addExpedited(Entry<K> entry) {
    if (expedited == null) {
      expedited = new ArrayDeque<>(INITIAL_CAPACITY);
    }
    expedited.add(entry);
  }

  @Nullable Entry<K> poll() {
    if (expedited != null
        && !expedited.isEmpty()
        && (expeditedInRow < MAX_EXPEDITED_IN_ROW || regularSize() == 0)) {
      expeditedInRow++;
      return expedited.poll();
    }
    expeditedInRow = 0;
    Entry<K> entry = regular.poll();
    while (entry != null && entry.isReplaced()) {
      replacedCount--;
      entry = regular.poll();
    }
    return entry;
  }

  private int regularSize() {
    return regular.size() - replacedCount;
  }

  int size() {
    return regularSize() + (expedited == null ? 0 : expedited.size());
  }
}
