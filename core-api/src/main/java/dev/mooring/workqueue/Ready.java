package dev.mooring.workqueue;

import dev.mooring.workqueue.Keys.Entry;
import java.util.ArrayDeque;
import java.util.HashMap;
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

  /** Each owner's one after the other, and the owners in turn: however much one of them has. */
  final class Fair<K> implements Ready<K> {
    private final Function<K, Object> ownerOf;
    private final Map<Object, Line<K>> lines = new HashMap<>();
    private final ArrayDeque<Line<K>> turns = new ArrayDeque<>();
    private int size;

    Fair(Function<K, Object> ownerOf) {
      this.ownerOf = ownerOf;
    }

    @Override
    public void add(Entry<K> entry) {
      Object owner = ownerOf.apply(entry.key());
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
      Line<K> line = lines.get(ownerOf.apply(entry.key()));
      if (line != null) {
        line.bringForward(entry);
      }
    }

    @Override
    public @Nullable Entry<K> poll() {
      Line<K> line = turns.poll();
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

    @Override
    public int size() {
      return size;
    }
  }
}
