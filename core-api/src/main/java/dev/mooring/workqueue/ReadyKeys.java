package dev.mooring.workqueue;

import dev.mooring.workqueue.Keys.Entry;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What can be taken, in the order in which it is. Not thread-safe: the queue's lock guards it. */
sealed interface Ready<K> {
  /** Comes behind what is there already; one that is to come first, behind those only. */
  void add(Entry<K> entry);

  /** Comes first, in place of one that is there and is passed over from now on. */
  void bringForward(Entry<K> entry);

  /** The next one; null for none. */
  @Nullable Entry<K> poll();

  /** How many there are. */
  int size();

  default void started(Entry<K> entry) {}

  /** The processing of the entry ends; whether that may allow another entry to be taken. */
  default boolean finished(Entry<K> entry) {
    return false;
  }

  default void serve(int workers) {}

  /** One after the other. */
  final class InOrder<K> implements Ready<K> {
    private final Line<K> line = new Line<>("");

    @Override
    public void add(Entry<K> entry) {
      line.add(entry);
    }

    @Override
    public void bringForward(Entry<K> entry) {
      line.bringForward(entry);
    }

    @Override
    public @Nullable Entry<K> poll() {
      return line.poll();
    }

    @Override
    public int size() {
      return line.size();
    }
  }

  /**
   * Each owner's one after the other, and the owners in turn: however much one of them has. An
   * owner with an entry in processing takes none of the reserved workers.
   */
  final class Fair<K> implements Ready<K> {
    /** The share of the workers that is reserved: one of so many. */
    private static final int RESERVED = 4;

    private final Function<K, Object> ownerOf;
    private final Map<Object, Line<K>> lines = new HashMap<>();
    private final ArrayDeque<Line<K>> turns = new ArrayDeque<>();
    private final Map<Object, Integer> running = new HashMap<>(); // by owner
    private int busy;
    private int workers;
    private int reserved;
    private int size;

    Fair(Function<K, Object> ownerOf) {
      this.ownerOf = ownerOf;
    }

    @Override
    public void serve(int workers) {
      this.workers = workers;
      this.reserved = workers / RESERVED;
    }

    @Override
    public void add(Entry<K> entry) {
      Object owner = ownerOf.apply(entry.key());
      entry.belongsTo(owner);
      Line<K> line = lines.get(owner);
      if (line == null) {
        line = new Line<>(owner);
        lines.put(owner, line);
        turns.add(line);
      }
      line.add(entry);
      size++;
    }

    @Override
    public void bringForward(Entry<K> entry) {
      Line<K> line = lines.get(entry.owner());
      if (line != null) {
        line.bringForward(entry);
      }
    }

    @Override
    public @Nullable Entry<K> poll() {
      Line<K> line = next();
      if (line == null) {
        return null;
      }
      size--;
      Entry<K> entry = line.poll();
      if (line.size() == 0) {
        lines.remove(line.owner());
      } else {
        turns.add(line);
      }
      return entry;
    }

    /** Passes over no more lines than there are workers: each of these owners has one. */
    private @Nullable Line<K> next() {
      if (reserved == 0 || workers - busy > reserved) {
        return turns.poll();
      }
      Iterator<Line<K>> each = turns.iterator();
      while (each.hasNext()) {
        Line<K> line = each.next();
        if (!running.containsKey(line.owner())) {
          each.remove();
          return line;
        }
      }
      return null;
    }

    @Override
    public void started(Entry<K> entry) {
      if (reserved > 0) {
        busy++;
        running.merge(entry.owner(), 1, Integer::sum);
      }
    }

    @Override
    public boolean finished(Entry<K> entry) {
      if (reserved == 0) {
        return false;
      }
      busy--;
      running.computeIfPresent(entry.owner(), (owner, many) -> many == 1 ? null : many - 1);
      return size > 0;
    }

    @Override
    public int size() {
      return size;
    }
  }
}
