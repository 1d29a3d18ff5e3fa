package dev.mooring.spi;

import dev.mooring.model.VolumeSource;

/**
 * Measures how full volumes are, for storage that does not limit them itself.
 *
 * <p>Threads: many; for one volume never twice at once. May take long, and blocks: on interrupt
 * give up promptly and return {@link Failure.Unreachable}. Changes nothing. A volume that is being
 * written to is measured as well as that goes.
 */
public interface UsageMeter {
  /** Measures it. */
  Attempt<Usage> measure(Request request);

  /**
   * What to measure.
   *
   * @param volumeName the PersistentVolume's name
   * @param source how the volume is addressed
   */
  record Request(String volumeName, VolumeSource source) {}

  /**
   * What is in it.
   *
   * @param bytes the sizes of its files together, as far as they count for its user
   * @param files how many there are, directories included
   */
  record Usage(long bytes, long files) {}
}
