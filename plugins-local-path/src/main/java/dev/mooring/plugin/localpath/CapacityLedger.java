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

  private record PendingVolume(String node, String path, Quantity size, long nanos) {}

  record Reservation(VolumePlacement placement, boolean isFirst) {}

  private final PluginCluster cluster;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  // by volume name; guarded by lock
  private final Map<String, PendingVolume> pending = new HashMap<>();

  CapacityLedger(PluginCluster cluster, LongSupplier nanos) {
    this.cluster = cluster;
    this.nanos = nanos;
  }

  /**
   * Reserves the first candidate with enough capacity; a retry for the same volume prefers its
   * earlier candidate.
   *
   * @param candidates possible placements, best first
   */
  Attempt<Reservation> reserve(
      Request request, List<VolumePlacement> candidates, NodePaths places, Optional<Node> node)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return reserveFirstFitting(request, candidates, places, node);
    } finally {
      lock.unlock();
    }
  }

  private Attempt<Reservation> reserveFirstFitting(
      Request request, List<VolumePlacement> candidates, NodePaths places, Optional<Node> node)
      throws InterruptedException {
    String name = node.map(n -> n.meta().name()).orElse("");
    List<String> full = new ArrayList<>();
    @Nullable List<Volume> all = null;
    for (VolumePlacement candidate : earlierCandidateFirst(request.volumeName(), candidates)) {
      BasePath base = candidate.directory().base();
      Optional<Quantity> most = places.most(name, base);
      if (most.isEmpty()) {
        return Attempt.done(recordPending(request, candidate, name));
      }
      if (all == null) {
        switch (cluster.volumes()) {
          case Attempt.Failed<List<Volume>>(Failure why) -> {
            return new Attempt.Failed<>(why);
          }
          case Attempt.Done<List<Volume>>(List<Volume> found) -> all = found;
        }
        dropListed(all);
      }
      BigDecimal used = usage(base, request.volumeName(), node, all);
      if (used.add(request.capacity().value()).compareTo(most.get().value()) <= 0) {
        return Attempt.done(recordPending(request, candidate, name));
      }
      full.add("volumes use %s of the %s of %s".formatted(format(used), most.get(), base));
    }
    return new Attempt.Failed<>(
        new Failure.Exhausted(
            "node %s has no capacity for %s: %s"
                .formatted(name, request.capacity(), String.join("; ", full)),
            RETRY_DELAY));
  }

  private static String format(BigDecimal bytes) {
    return Quantity.ofBytes(Quantity.of(bytes.toPlainString()).toBytesCeiling()).toString();
  }

  private List<VolumePlacement> earlierCandidateFirst(
      String volume, List<VolumePlacement> candidates) {
    PendingVolume before = pending.get(volume);
    List<VolumePlacement> sorted = new ArrayList<>(candidates);
    candidates.stream()
        .filter(c -> before != null && c.directory().path().equals(before.path))
        .findFirst()
        .ifPresent(first -> {
          sorted.remove(first);
          sorted.addFirst(first);
        });
    return sorted;
  }

  private Reservation recordPending(Request request, VolumePlacement placement, String node) {
    PendingVolume now =
        new PendingVolume(
            node, placement.directory().path(), request.capacity(), nanos.getAsLong());
    return new Reservation(placement, pending.put(request.volumeName(), now) == null);
  }

  private void dropListed(List<Volume> all) {
    all.forEach(volume -> pending.remove(volume.meta().name()));
    long oldest = nanos.getAsLong() - MAX_UNLISTED.toNanos();
    pending.values().removeIf(one -> one.nanos - oldest < 0);
  }

  private BigDecimal usage(BasePath base, String except, Optional<Node> node, List<Volume> all) {
    BigDecimal used = BigDecimal.ZERO;
    for (Volume volume : SharedDirectories.in(base, except, node, all)) {
      used = used.add(volume.storage().value());
    }
    for (Map.Entry<String, PendingVolume> one : pending.entrySet()) {
      boolean there =
          node.isEmpty()
              || one.getValue().node.isEmpty()
              || one.getValue().node.equals(node.get().meta().name());
      if (there && !one.getKey().equals(except) && base.contains(one.getValue().path)) {
        used = used.add(one.getValue().size.value());
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
