package dev.mooring.apiserver.apply;

import java.util.List;

/**
 * The API versions of an object. Fields that are owned in any other version cannot be translated.
 *
 * @param own the version of the write
 * @param all all versions, with their group
 * @param resets true if one entry in another version discards all entries; else only that entry is
 *     discarded
 */
public record ObjectVersions(String own, List<String> all, boolean resets) {
  public static ObjectVersions only(String version) {
    return new ObjectVersions(version, List.of(version), false);
  }

  /** Discards entries in unknown versions; returns false if all entries must be discarded. */
  boolean discardUntranslatable(ManagedFields managed) {
    for (ManagedFields.OwnedFields share : managed.fieldsByOwner().values()) {
      String version = share.apiVersion();
      boolean isNone = version.indexOf('/') != version.lastIndexOf('/');
      if (isNone || resets && !all.contains(version)) {
        return false;
      }
    }
    managed
        .fieldsByOwner()
        .values()
        .removeIf(s -> s.fields().isEmpty() || !all.contains(s.apiVersion()));
    return true;
  }
}
