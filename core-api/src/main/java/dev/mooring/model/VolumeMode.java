package dev.mooring.model;

/**
 * How a volume is presented to pods. An absent or unknown mode is Filesystem, as the API defaults
 * it.
 */
public enum VolumeMode {
  FILESYSTEM("Filesystem"),
  BLOCK("Block");

  private final String text;

  VolumeMode(String text) {
    this.text = text;
  }

  /** Reads a mode. */
  public static VolumeMode of(String text) {
    return text.equals("Block") ? BLOCK : FILESYSTEM;
  }

  @Override
  public String toString() {
    return text;
  }
}
