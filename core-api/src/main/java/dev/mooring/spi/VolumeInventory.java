package dev.mooring.spi;

import dev.mooring.model.VolumeSource;

/**
 * Finds volumes that still exist on the storage. With {@code --doctor-period} the host asks for the
 * volumes that its cluster deleted, and never for others: they may belong to another cluster.
 *
 * <p>Threads: called from many threads, but never concurrently for the same volume. Calls may block
 * for a long time; on interrupt, return promptly with {@link Failure.Unreachable}. Must not change
 * anything.
 */
@FunctionalInterface
public interface VolumeInventory {
  /**
   * Returns whether the storage lists the volume. Must ask the storage, and reuse no result from
   * before the call. Data that a deletion keeps on purpose, for example an archive, does not count.
   */
  Attempt<Boolean> contains(Request request);

  /**
   * Volume to find.
   *
   * @param volumeName name of the former PersistentVolume
   * @param source address of the volume
   */
  record Request(String volumeName, VolumeSource source) {}
}
