package dev.mooring.binder.state;

import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/** Merges sorted sequences into one, in order. Not thread-safe. */
final class SortedMerge<E> {
  private record Head<E>(E first, Iterator<? extends E> remaining) {}

  private final PriorityQueue<Head<E>> heads;

  SortedMerge(Comparator<? super E> order) {
    this.heads = new PriorityQueue<>(Comparator.comparing(Head::first, order));
  }

  void add(Iterator<? extends E> sorted) {
    if (sorted.hasNext()) {
      heads.add(new Head<>(sorted.next(), sorted));
    }
  }

  boolean isEmpty() {
    return heads.isEmpty();
  }

  E peek() {
    return heads.element().first();
  }

  E next() {
    Head<E> head = heads.remove();
    add(head.remaining());
    return head.first();
  }
}
