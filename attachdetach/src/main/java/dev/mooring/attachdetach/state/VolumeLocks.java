package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Locks of volumes. While a caller runs under a volume's lock, no decision about that volume is
 * running, and the operations that it sees have really started. Thread-safe.
 */
public final class VolumeLocks {
  private static final int LOCKS = 64;

  private final List<Lock> locks =
      IntStream.range(0, LOCKS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

  public <T> T call(VolumeId volume, Supplier<T> task) {
    Lock lock = locks.get(Math.floorMod(volume.hashCode(), LOCKS));
    lock.lock();
    try {
      return task.get();
    } finally {
      lock.unlock();
    }
  }

  public void run(VolumeId volume, Runnable task) {
    call(
        volume,
        () -> {
          task.run();
          return true;
        });
  }
}
