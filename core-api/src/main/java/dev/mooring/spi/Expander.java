package dev.mooring.spi;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;

/**
 * Makes volumes larger. Never smaller: the host asks for no less than the volume has.
 *
 * <p>Threads: many; for one volume never twice at once. Idempotence: growing a volume to the size
 * that it has is {@link Attempt.Done}. Blocking is fine; on interrupt give up promptly and return
 * {@link Failure.Uncertain}, or {@link Failure.Unreachable} if nothing was done. After a failure
 * the host asks again, with back-off; after {@link Failure.Rejected} or {@link Failure.Exhausted}
 * possibly for another size, because the user may have changed it.
 */
public interface Expander {
  /** Makes the volume at least that large. */
  Attempt<Expanded> expand(Request request);

  /**
   * What to make larger.
   *
   * @param volumeName the PersistentVolume's name
   * @param source how the volume is addressed
   * @param mode Filesystem or Block
   * @param from how large the claim knows it to be
   * @param to how large it has to be
   */
  record Request(
      String volumeName, VolumeSource source, VolumeMode mode, Quantity from, Quantity to) {}

  /**
   * It is that large.
   *
   * @param capacity how large, not less than was asked for
   * @param needsNode whether a node has to grow the file system too; never true of block volumes
   */
  record Expanded(Quantity capacity, boolean needsNode) {}
}
