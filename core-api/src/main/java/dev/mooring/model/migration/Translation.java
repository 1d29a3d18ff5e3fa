package dev.mooring.model.migration;

/** What became of a volume that was to be expressed as a CSI volume. */
public sealed interface Translation {
  /**
   * A CSI driver does the in-tree plugin's work, and this is the volume as it knows it.
   *
   * @param volume the volume
   */
  record Translated(CsiVolume volume) implements Translation {}

  /** The source is of no type whose work moved to a CSI driver: a CSI volume, for example. */
  record NotMigrated() implements Translation {}

  /**
   * The type has moved, but this volume cannot be expressed: nobody can use it.
   *
   * @param reason why, for people
   */
  record Refused(String reason) implements Translation {}
}
