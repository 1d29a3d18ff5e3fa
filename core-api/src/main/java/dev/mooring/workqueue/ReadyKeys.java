package dev.mooring.workqueue;

import dev.mooring.workqueue.ActiveKeys.Entry;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queued entries in the order in which they are taken. Not thread-safe; guarded by the queue's
 * lock.
 */
sealed interface ReadyKeys<K> permits ReadyKeys.Fifo, ReadyKeys.Fair, GatedKeys {
  /** Adds an entry after those that are queued; an expedited entry only after expedited ones. */
  void add(Entry<K> entry);

  void expedite(Entry<K> entry);

  @Nullable Entry<K> poll();

  int size();

  default void startProcessing(Entry<K> entry) {}

  /** Ends the processing of an entry; returns whether another entry may become available. */
  default boolean endProcessing(Entry<K> entry) {
    return false;
  }

  default void setWorkers(int workers) {}

  default boolean canBecomeReady() {
    return false;
  }

  final class Fifo<K> implements ReadyKeys<K> {
    private final OwnerQueue<K> queue = new OwnerQueue<>("");

    @Override
    public void add(Entry<K> entry) {
      queue.add(entry);
    }

    @Override
    public void expedite(Entry<K> entry) {
      queue.expedite(entry);
    }

    @Override
    public @Nullable Entry<K> poll() {
      return queue.poll();
    }

    @Override
    public int size() {
      return queue.size();
    }
  }

  /**
   * Takes the owners in turn, however many entries each has. An owner with an entry in processing
   * may not use the reserved workers.
   */
  final class Fair<K> implements ReadyKeys<K> {
    private final Function<K, Object> ownerOf;
    private final Map<Object, OwnerQueue<K>> queues = new HashMap<>();
    private final ArrayDeque<OwnerQueue<K>> queuesInTurnOrder = new ArrayDeque<>();
    private final WorkerReserve reserve;
    private int size;

    Fair(Function<K, Object> ownerOf, WorkerReserve reserve) {
      this.ownerOf = ownerOf;
      this.reserve = reserve;
    }

    @Override
    public void setWorkers(int workers) {
      reserve.setWorkers(workers);
    }

    @Override
    public void add(Entry<K> entry) {
      Object owner = ownerOf.apply(entry.key());
      entry.setOwner(owner);
      OwnerQueue<K> queue = queues.get(owner);
      if (queue == null) {
        queue = new OwnerQueue<>(owner);
        queues.put(owner, queue);
        queuesInTurnOrder.add(queue);
      }
      queue.add(entry);
      size++;
    }

    @Override
    public void expedite(Entry<K> entry) {
      OwnerQueue<K> queue = queues.get(entry.owner());
      if (queue != null) {
        queue.expedite(entry);
      }
    }

    @Override
    public @Nullable Entry<K> poll() {
      OwnerQueue<K> queue = pollEligibleQueue();
      if (queue == null) {
        return null;
      }
      size--;
      Entry<K> entry = queue.poll();
      if (queue.size() == 0) {
        queues.remove(queue.owner());
      } else {
        queuesInTurnOrder.add(queue);
      }
      return entry;
    }

    /**
     * Returns the queue of the next eligible owner. Skips at most one queue per worker, because
     * each skipped owner occupies one.
     */
    private @Nullable OwnerQueue<K> pollEligibleQueue() {
      if (reserve.isOpenToAll()) {
        return queuesInTurnOrder.poll();
      }
      Iterator<OwnerQueue<K>> candidates = queuesInTurnOrder.iterator();
      while (candidates.hasNext()) {
        OwnerQueue<K> queue = candidates.next();
        if (!reserve.isProcessing(queue.owner())) {
          candidates.remove();
          return queue;
        }
      }
      return null;
    }

    @Override
    public void startProcessing(Entry<K> entry) {
      reserve.startProcessing(entry.owner());
    }

    @Override
    public boolean endProcessing(Entry<K> entry) {
      return reserve.endProcessing(entry.owner()) && size > 0;
    }

    @Override
    public int size() {
      return size;
    }
  }
}
