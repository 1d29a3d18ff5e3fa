package dev.mooring.model.migration;

/** Result of translating an in-tree volume to a CSI volume. */
public sealed interface VolumeTranslation {
  record Translated(CsiVolume volume) implements VolumeTranslation {}

  record NotMigrated() implements VolumeTranslation {}

  record Refused(String reason) implements VolumeTranslation {}
}
