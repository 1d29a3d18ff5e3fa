package dev.mooring.csi.execute;

import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls of one driver for its snapshots or for its group snapshots. Thread-safe. */
public interface DriverSnapshots {
  // Values read from a class.
  record ClassFacts(String driver, Map<String, String> parameters) {}

  // Common part of a creation request.
  record CreationRequest(String name, Map<String, String> parameters, DriverSecrets secrets) {}

  /**
   * Answer about a snapshot or group snapshot.
   *
   * @param created nanoseconds since the epoch; 0 if the driver does not report it
   * @param snapshots the snapshot itself, or those of the group
   * @param flaw why the answer cannot be used; "" if it can
   */
  record SnapshotAnswer(
      String id, long created, boolean isReady, List<CsiSnapshot> snapshots, String flaw) {}

  DriverSession session();

  Optional<ClassFacts> findClass(String name);

  DriverReply<SnapshotAnswer> create(ContentView content, CreationRequest request);

  // Returns where volumes can be restored; empty for everywhere.
  default List<Map<String, String>> topologies(SnapshotAnswer answer) {
    return List.of();
  }

  // Queries existing data. Unknown if the reason for its absence is unknown.
  CheckResult<SnapshotAnswer> find(DataHandle handle, DriverSecrets secrets);

  // Returns the answer to assume if the driver cannot be queried; empty for none.
  Optional<SnapshotAnswer> assumeAnswer(DataHandle handle);

  DriverReply<Done> delete(DataHandle handle, DriverSecrets secrets);
}
