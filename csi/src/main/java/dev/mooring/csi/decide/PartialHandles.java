package dev.mooring.csi.decide;

import java.util.Optional;
import java.util.Set;

/**
 * Handles of in-tree GCE disks: they lack the project, and those of pods lack the zone. The driver
 * lists its volumes with both.
 */
public final class PartialHandles {
  private static final String UNSPECIFIED = "UNSPECIFIED";
  private static final String PREFIX = "projects/" + UNSPECIFIED + "/";
  private static final String WITHOUT_ZONE = PREFIX + "zones/" + UNSPECIFIED + "/";

  // elements of projects/p/zones/z/disks/d and of node ids, projects/p/zones/z/instances/n
  private static final int COUNT = 6;
  private static final int PROJECT = 1;
  private static final int ZONE = 3;

  private PartialHandles() {}

  /**
   * Adds the parts that a handle lacks from the id of the volume's node, like external-attacher.
   * Empty if the id does not have them.
   */
  public static Optional<String> complete(String handle, String nodeId) {
    if (!handle.startsWith(PREFIX)) {
      return Optional.of(handle);
    }
    String[] elements = handle.split("/", -1);
    String[] nodeElements = nodeId.split("/", -1);
    if (elements.length < COUNT || nodeElements.length < COUNT) {
      return Optional.empty();
    }
    elements[PROJECT] = nodeElements[PROJECT];
    if (elements[ZONE].equals(UNSPECIFIED)) {
      elements[ZONE] = nodeElements[ZONE];
    }
    return Optional.of(String.join("/", elements));
  }

  /** Returns the handle that a driver lists for a volume; the handle itself if there is none. */
  public static String findListed(String handle, Set<String> listedHandles) {
    if (!handle.startsWith(PREFIX)) {
      return handle;
    }
    int knownPart = handle.startsWith(WITHOUT_ZONE) ? WITHOUT_ZONE.length() : PREFIX.length();
    String end = handle.substring(knownPart - 1);
    return listedHandles.stream()
        .filter(listed -> listed.startsWith("projects/") && listed.endsWith(end))
        .findFirst()
        .orElse(handle);
  }
}
