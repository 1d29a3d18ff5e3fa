package dev.mooring.csi.decide;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a driver lists as published, against what an attachment says (spec/csi-bridge.md 7.6). */
public final class Publications {
  private Publications() {}

  /**
   * Whether the driver is to be asked again.
   *
   * @param attached what the attachment says
   * @param nodeId the node's id at the driver, "" if nobody knows it
   * @param listed where the driver says that the volume is; null if it does not list the volume,
   *     which is then nowhere
   */
  public static boolean differs(boolean attached, String nodeId, @Nullable List<String> listed) {
    if (nodeId.isEmpty()) {
      return false;
    }
    return attached != (listed != null && listed.contains(nodeId));
  }
}
