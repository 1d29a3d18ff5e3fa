package dev.mooring.csi.decide;

import java.util.List;

/**
 * Snapshot or group snapshot at a driver.
 *
 * @param id its id; "" for none
 * @param snapshots ids of a group's snapshots; empty for a snapshot
 */
public record DataHandle(String id, List<String> snapshots) {
  public DataHandle {
    snapshots = List.copyOf(snapshots);
  }

  public boolean isNone() {
    return id.isEmpty();
  }
}
