package dev.mooring.csi.state;

import dev.mooring.model.Uid;
import dev.mooring.spi.csi.CsiConnection.Topology;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sources of claims and parameters of earlier CreateVolume calls, by uid. Thread-safe. */
public final class EarlierCalls {
  // a request that may be running must be repeated unchanged, even if nodes changed
  private final Map<Uid, Optional<Topology>> topologies = new ConcurrentHashMap<>();
  private final Map<Uid, Long> sizes = new ConcurrentHashMap<>();
  private final Map<Uid, String> sourceKinds = new ConcurrentHashMap<>();

  // Returns the topology of a call that may still be running; null if there is no such call.
  public @Nullable Optional<Topology> topology(Uid claim) {
    return topologies.get(claim);
  }

  public void recordRunning(Uid claim, Optional<Topology> topology) {
    topologies.put(claim, topology);
  }

  public void recordEnd(Uid claim) {
    topologies.remove(claim);
  }

  public Optional<Long> requestedBytes(Uid claim) {
    return Optional.ofNullable(sizes.get(claim));
  }

  public void recordSize(Uid claim, long bytes) {
    sizes.put(claim, bytes);
  }

  public String sourceKind(Uid claim) {
    return sourceKinds.getOrDefault(claim, "");
  }

  public void recordSource(Uid claim, String kind) {
    sourceKinds.put(claim, kind);
  }

  public void forget(Uid claim) {
    sourceKinds.remove(claim);
    topologies.remove(claim);
    sizes.remove(claim);
  }
}
