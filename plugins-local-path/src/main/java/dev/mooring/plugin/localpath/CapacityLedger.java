package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.Provisioner.Request;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Enforces {@code maxCapacity} of paths. Counts all PersistentVolumes in a path, whichever
 * provisioner created them, and volumes under creation. A new volume counts as under creation until
 * the API server lists it or it is deleted. Thread-safe; reservations are serialized.
 */
final class CapacityLedger {
  static final Duration MAX_UNLISTED = Duration.ofHours(1);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

  private record PendingVolume(String node, String path, Quantity size, long reservedAtNanos) {}

  record Reservation(VolumePlacement placement, boolean isFirst) {}

  private final PluginCluster cluster;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();

  // by volume name; guarded by lock
  private final Map<String, PendingVolume> pending = new HashMap<>();

  CapacityLedger(PluginCluster cluster, LongSupplier nanoClock) {
    this.cluster = cluster;
    this.nanoClock = nanoClock;
  }

  /**
   * Reserves the first candidate with enough capacity; a retry for the same volume prefers its
   * earlier candidate.
   *
   * @param candidates possible placements, best first
   */
  Attempt<Reservation> reserve(
      Request request, List<VolumePlacement> candidates, NodePaths nodePaths, Optional<Node> node)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return reserveFirstFitting(request, candidates, nodePaths, node);
    } finally {
      lock.unlock();
    }
  }

  private Attempt<Reservation> reserveFirstFitting(
      Request request, List<VolumePlacement> candidates, NodePaths nodePaths, Optional<Node> node)
      throws InterruptedException {
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    List<String> fullPaths = new ArrayList<>();
    @Nullable List<Volume> volumes = null;
    for (VolumePlacement candidate : preferEarlierCandidate(request.volumeName(), candidates)) {
      BasePath base = candidate.directory().base();
      Optional<Quantity> maxCapacity = nodePaths.maxCapacity(nodeName, base);
      if (maxCapacity.isEmpty()) {
        return Attempt.done(recordPending(request, candidate, nodeName));
      }
      if (volumes == null) {
        switch (cluster.volumes()) {
          case Attempt.Failed<List<Volume>>(Failure failure) -> {
            return new Attempt.Failed<>(failure);
          }
          case Attempt.Done<List<Volume>>(List<Volume> listedVolumes) -> volumes = listedVolumes;
        }
        dropListed(volumes);
      }
      BigDecimal used = sumUsage(base, request.volumeName(), node, volumes);
      if (used.add(request.capacity().value()).compareTo(maxCapacity.get().value()) <= 0) {
        return Attempt.done(recordPending(request, candidate, nodeName));
      }
      fullPaths.add(
          "volumes use %s of the %s of %s".formatted(format(used), maxCapacity.get(), base));
    }
    return new Attempt.Failed<>(
        new Failure.Exhausted(
            "node %s has no capacity for %s: %s"
                .formatted(nodeName, request.capacity(), String.join("; ", fullPaths)),
            RETRY_DELAY));
  }

  private static String format(BigDecimal bytes) {
    return Quantity.ofBytes(Quantity.of(bytes.toPlainString()).toBytesCeiling()).toString();
  }

  private List<VolumePlacement> preferEarlierCandidate(
      String volume, List<VolumePlacement> candidates) {
    PendingVolume earlier = pending.get(volume);
    List<VolumePlacement> sorted = new ArrayList<>(candidates);
    candidates.stream()
        .filter(c -> earlier != null && c.directory().path().equals(earlier.path))
        .findFirst()
        .ifPresent(first -> {
          sorted.remove(first);
          sorted.addFirst(first);
        });
    return sorted;
  }

  private Reservation recordPending(Request request, VolumePlacement placement, String node) {
    PendingVolume pendingVolume =
        new PendingVolume(
            node, placement.directory().path(), request.capacity(), nanoClock.getAsLong());
    return new Reservation(placement, pending.put(request.volumeName(), pendingVolume) == null);
  }

  private void dropListed(List<Volume> volumes) {
    volumes.forEach(volume -> pending.remove(volume.meta().name()));
    long oldest = nanoClock.getAsLong() - MAX_UNLISTED.toNanos();
    pending.values().removeIf(volume -> volume.reservedAtNanos - oldest < 0);
  }

  private BigDecimal sumUsage(
      BasePath base, String excludedVolume, Optional<Node> node, List<Volume> volumes) {
    BigDecimal used = BigDecimal.ZERO;
    for (Volume volume : SharedDirectories.findBelow(base, excludedVolume, node, volumes)) {
      used = used.add(volume.storage().value());
    }
    for (Map.Entry<String, PendingVolume> entry : pending.entrySet()) {
      boolean isOnNode =
          node.isEmpty()
              || entry.getValue().node.isEmpty()
              || entry.getValue().node.equals(node.get().meta().name());
      if (isOnNode
          && !entry.getKey().equals(excludedVolume)
          && base.contains(entry.getValue().path)) {
        used = used.add(entry.getValue().size.value());
      }
    }
    return used;
  }

  void release(String volume) {
    lock.lock();
    try {
      pending.remove(volume);
    } finally {
      lock.unlock();
    }
  }
}
