package dev.mooring.workqueue;

import dev.mooring.workqueue.Keys.Entry;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A list that runs through the entries themselves, so that one is taken out for nothing. An entry
 * is in one at a time. Not thread-safe: the queue's lock guards it.
 */
final class Entries<K> {
  private @Nullable Entry<K> first;
  private @Nullable Entry<K> last;
  private int size;

  int size() {
    return size;
  }

  void add(Entry<K> entry) {
    entry.before = last;
    if (last == null) {
      first = entry;
    } else {
      last.after = entry;
    }
    last = entry;
    size++;
  }

  @Nullable Entry<K> poll() {
    Entry<K> entry = first;
    if (entry != null) {
      remove(entry);
    }
    return entry;
  }

  void remove(Entry<K> entry) {
    if (entry.before == null) {
      first = entry.after;
    } else {
      entry.before.after = entry.after;
    }
    if (entry.after == null) {
      last = entry.before;
    } else {
      entry.after.before = entry.before;
    }
    entry.before = null;
    entry.after = null;
    size--;
  }

  void forEach(Consumer<Entry<K>> each) {
    for (Entry<K> entry = first; entry != null; entry = entry.after) {
      each.accept(entry);
    }
  }
}
