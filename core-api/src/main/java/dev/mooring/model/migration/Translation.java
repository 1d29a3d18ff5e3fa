package dev.mooring.model.migration;

/** Result of translating an in-tree volume to a CSI volume. */
public sealed interface Translation {
  record Translated(CsiVolume volume) implements Translation {}

  record NotMigrated() implements Translation {}

  /**
   * The type is migrated, but this volume has no CSI form, so it is unusable.
   *
   * @param reason reason for users
   */
  record Refused(String reason) implements Translation {}
}
