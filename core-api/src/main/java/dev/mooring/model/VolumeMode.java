package dev.mooring.model;

/** Mode of a volume in pods. An absent or unknown value is Filesystem, the API's default. */
public enum VolumeMode {
  FILESYSTEM("Filesystem"),
  BLOCK("Block");

  private final String text;

  VolumeMode(String text) {
    this.text = text;
  }

  public static VolumeMode of(String text) {
    return text.equals("Block") ? BLOCK : FILESYSTEM;
  }

  @Override
  public String toString() {
    return text;
  }
}
