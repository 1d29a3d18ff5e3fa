package dev.mooring.workqueue;

import java.util.HashMap;
import java.util.Map;

/**
 * Reserves a quarter of the workers for owners without a key in processing (G12). Not thread-safe;
 * guarded by the queue's lock.
 */
final class WorkerReserve {
  private static final int WORKERS_PER_RESERVED = 4;

  private final Map<Object, Integer> processingByOwner = new HashMap<>(); // keys per owner
  private int workers;
  private int reservedWorkers;
  private int busyWorkers;

  void setWorkers(int count) {
    workers = count;
    reservedWorkers = count / WORKERS_PER_RESERVED;
  }

  boolean isOpenToAll() {
    return reservedWorkers == 0 || workers - busyWorkers > reservedWorkers;
  }

  boolean isProcessing(Object owner) {
    return processingByOwner.containsKey(owner);
  }

  void startProcessing(Object owner) {
    if (reservedWorkers > 0) {
      busyWorkers++;
      processingByOwner.merge(owner, 1, Integer::sum);
    }
  }

  boolean endProcessing(Object owner) {
    if (reservedWorkers == 0) {
      return false;
    }
    busyWorkers--;
    processingByOwner.computeIfPresent(owner, (key, count) -> count == 1 ? null : count - 1);
    return true;
  }
}
