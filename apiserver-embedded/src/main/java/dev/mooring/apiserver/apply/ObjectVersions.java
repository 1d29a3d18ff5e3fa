package dev.mooring.apiserver.apply;

import java.util.List;

/**
 * The API versions of an object. Fields that are owned in any other version cannot be translated.
 *
 * @param writeVersion the version of the write
 * @param allVersions all versions, with their group
 * @param discardsAll true if one entry in another version discards all entries; else only that
 *     entry is discarded
 */
public record ObjectVersions(String writeVersion, List<String> allVersions, boolean discardsAll) {
  public static ObjectVersions ofSingle(String version) {
    return new ObjectVersions(version, List.of(version), false);
  }

  /** Discards entries in unknown versions; returns false if all entries must be discarded. */
  boolean discardUntranslatable(ManagedFields managed) {
    for (ManagedFields.OwnedFields ownedFields : managed.fieldsByOwner().values()) {
      String version = ownedFields.apiVersion();
      boolean isMalformed = version.indexOf('/') != version.lastIndexOf('/');
      if (isMalformed || discardsAll && !allVersions.contains(version)) {
        return false;
      }
    }
    managed
        .fieldsByOwner()
        .values()
        .removeIf(s -> s.fields().isEmpty() || !allVersions.contains(s.apiVersion()));
    return true;
  }
}
