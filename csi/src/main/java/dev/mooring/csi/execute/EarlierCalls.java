package dev.mooring.csi.execute;

import dev.mooring.model.Uid;
import dev.mooring.spi.csi.CsiConnection.Topology;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What earlier CreateVolume calls asked for, by the claims' uids. Thread-safe. */
final class EarlierCalls {
  // while a request may be running it is repeated as it was, whatever became of the nodes
  private final Map<Uid, Optional<Topology>> topologies = new ConcurrentHashMap<>();
  private final Map<Uid, Long> sizes = new ConcurrentHashMap<>();

  /** The topology of a call that may still be running; null if there is no such call. */
  @Nullable Optional<Topology> topology(Uid claim) {
    return topologies.get(claim);
  }

  void mayRun(Uid claim, Optional<Topology> topology) {
    topologies.put(claim, topology);
  }

  void ended(Uid claim) {
    topologies.remove(claim);
  }

  /** The bytes that the last call for a wanted volume asked for. */
  Optional<Long> bytes(Uid claim) {
    return Optional.ofNullable(sizes.get(claim));
  }

  void asked(Uid claim, long bytes) {
    sizes.put(claim, bytes);
  }

  void forget(Uid claim) {
    topologies.remove(claim);
    sizes.remove(claim);
  }
}
