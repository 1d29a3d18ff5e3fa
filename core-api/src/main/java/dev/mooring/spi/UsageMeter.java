package dev.mooring.spi;

import dev.mooring.model.VolumeSource;

/**
 * Measures the space that volumes use, for storage that does not enforce a volume's capacity.
 *
 * <p>Threads: called from many threads, but never concurrently for the same volume. Calls may block
 * for a long time; on interrupt, return promptly with {@link Failure.Unreachable}. Must not change
 * the volume. If a pod writes to the volume meanwhile, an approximate result suffices.
 */
public interface UsageMeter {
  /** Measures the volume. */
  Attempt<Usage> measure(Request request);

  /**
   * Volume to measure.
   *
   * @param volumeName name of the PersistentVolume
   * @param source address of the volume
   */
  record Request(String volumeName, VolumeSource source) {}

  /**
   * Space that a volume uses.
   *
   * @param bytes total size of the files that count as the user's
   * @param files number of files, directories included
   * @param unreadableDirectories number of directories whose contents could not be read and are not
   *     counted, so that the volume may use more space
   */
  record Usage(long bytes, long files, long unreadableDirectories) {
    public Usage(long bytes, long files) {
      this(bytes, files, 0);
    }
  }
}
