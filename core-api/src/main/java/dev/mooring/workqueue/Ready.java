package dev.mooring.workqueue;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What can be taken, in the order in which it is. Not thread-safe: the queue's lock guards it. */
sealed interface Ready<E> {
  /** Comes behind what is there already. */
  void add(E entry);

  /** The next one; null for none. */
  @Nullable E poll();

  /** How many there are. */
  int size();

  /** One after the other. */
  final class InOrder<E> implements Ready<E> {
    private final ArrayDeque<E> entries = new ArrayDeque<>();

    @Override
    public void add(E entry) {
      entries.add(entry);
    }

    @Override
    public @Nullable E poll() {
      return entries.poll();
    }

    @Override
    public int size() {
      return entries.size();
    }
  }

  /** Each owner's one after the other, and the owners in turn: however much one of them has. */
  final class Fair<E> implements Ready<E> {
    private record Line<E>(Object owner, ArrayDeque<E> entries) {}

    private final Function<E, Object> ownerOf;
    private final Map<Object, Line<E>> lines = new HashMap<>();
    private final ArrayDeque<Line<E>> turns = new ArrayDeque<>();
    private int size;

    Fair(Function<E, Object> ownerOf) {
      this.ownerOf = ownerOf;
    }

    @Override
    public void add(E entry) {
      Object owner = ownerOf.apply(entry);
      Line<E> line = lines.get(owner);
      if (line == null) {
        line = new Line<>(owner, new ArrayDeque<>());
        lines.put(owner, line);
        turns.add(line);
      }
      line.entries().add(entry);
      size++;
    }

    @Override
    public @Nullable E poll() {
      Line<E> line = turns.poll();
      if (line == null) {
        return null;
      }
      size--;
      E entry = line.entries().poll();
      if (line.entries().isEmpty()) {
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
