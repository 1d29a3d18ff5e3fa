package dev.mooring.spi;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import java.util.Map;

/**
 * Destroys volumes and what is on them.
 *
 * <p>Called only after a live re-read has shown that the volume is released. Threads: many; for one
 * volume never twice at once. Idempotence: deleting what is not there is {@link Attempt.Done}.
 * Blocking is fine; on interrupt give up and return {@link Failure.Uncertain}. A deleter must
 * refuse ({@link Failure.Rejected}) whatever it did not make itself.
 */
public interface Deleter {
  /** Destroys the volume. */
  Attempt<Gone> delete(Request request);

  /** It is not there any more. */
  record Gone() {}

  /**
   * What to destroy.
   *
   * @param volumeName the PersistentVolume's name
   * @param source how the volume is addressed
   * @param capacity its size
   * @param annotations the PersistentVolume's annotations
   */
  record Request(
      String volumeName, VolumeSource source, Quantity capacity, Map<String, String> annotations) {}
}
