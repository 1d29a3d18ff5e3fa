package dev.mooring.apiserver.apply;

import java.util.List;

/**
 * The versions in which an object can be written, as far as ownership asks: what is owned in a
 * version that it does not have cannot be translated.
 *
 * @param own the one in which it is written
 * @param all all that it has, with their group
 * @param resets whether one entry in another version makes all entries void; else it is left out
 */
public record ObjectVersions(String own, List<String> all, boolean resets) {
  /** Of a kind of the API's own. */
  public static ObjectVersions only(String version) {
    return new ObjectVersions(version, List.of(version), false);
  }

  /** Leaves out what cannot be translated; false if nothing may stay. */
  boolean settle(Managed managed) {
    for (Managed.Share share : managed.shares().values()) {
      String version = share.apiVersion();
      boolean isNone = version.indexOf('/') != version.lastIndexOf('/');
      if (isNone || resets && !all.contains(version)) {
        return false;
      }
    }
    managed.shares().values().removeIf(s -> s.fields().isEmpty() || !all.contains(s.apiVersion()));
    return true;
  }
}
