package dev.mooring.model.migration;

/** Result of translating an in-tree volume to a CSI volume. */
public sealed interface Translation {
  record Translated(CsiVolume volume) implements Translation {}

  record NotMigrated() implements Translation {}

  record Refused(String reason) implements Translation {}
}
