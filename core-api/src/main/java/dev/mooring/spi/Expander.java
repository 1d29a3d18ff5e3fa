package dev.mooring.spi;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;

/**
 * Expands volumes. The host never requests a size smaller than the current one.
 *
 * <p>Threads: called from many threads, but never concurrently for the same volume. Idempotence:
 * expanding a volume to its current size returns {@link Attempt.Done}. Calls may block. On
 * interrupt, return promptly: {@link Failure.Uncertain}, or {@link Failure.Unreachable} if nothing
 * was done. After a failure the host retries with back-off. After {@link Failure.Rejected} or
 * {@link Failure.Exhausted} the retry may request another size, because the user may have changed
 * the claim.
 */
public interface Expander {
  /** Expands the volume to at least the requested size. */
  Attempt<Expanded> expand(Request request);

  /**
   * Volume to expand.
   *
   * @param volumeName name of the PersistentVolume
   * @param source address of the volume
   * @param mode Filesystem or Block
   * @param currentSize current size according to the claim
   * @param requestedSize minimum size after the call
   */
  record Request(
      String volumeName,
      VolumeSource source,
      VolumeMode mode,
      Quantity currentSize,
      Quantity requestedSize) {}

  /**
   * Result of a successful expansion.
   *
   * @param capacity new size; at least the requested size
   * @param needsNode whether a node must still expand the file system; must be false for block
   *     volumes
   */
  record Expanded(Quantity capacity, boolean needsNode) {}
}
