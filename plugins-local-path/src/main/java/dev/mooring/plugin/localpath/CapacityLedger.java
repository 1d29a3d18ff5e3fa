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
  static final Duration UNSEEN = Duration.ofHours(1);

  private static final Duration ROOM_SOON = Duration.ofSeconds(5);

  private record Begun(String node, String path, Quantity size, long nanos) {}

  record Reservation(VolumePlacement placement, boolean anew) {}

  private final PluginCluster cluster;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, Begun> begun = new HashMap<>();

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
      return taken(request, candidates, places, node);
    } finally {
      lock.unlock();
    }
  }

  private Attempt<Reservation> taken(
      Request request, List<VolumePlacement> candidates, NodePaths places, Optional<Node> node)
      throws InterruptedException {
    String name = node.map(n -> n.meta().name()).orElse("");
    List<String> full = new ArrayList<>();
    @Nullable List<Volume> all = null;
    for (VolumePlacement candidate : sorted(request.volumeName(), candidates)) {
      BasePath base = candidate.directory().base();
      Optional<Quantity> most = places.most(name, base);
      if (most.isEmpty()) {
        return Attempt.done(begin(request, candidate, name));
      }
      if (all == null) {
        switch (cluster.volumes()) {
          case Attempt.Failed<List<Volume>>(Failure why) -> {
            return new Attempt.Failed<>(why);
          }
          case Attempt.Done<List<Volume>>(List<Volume> found) -> all = found;
        }
        forget(all);
      }
      BigDecimal used = used(base, request.volumeName(), node, all);
      if (used.add(request.capacity().value()).compareTo(most.get().value()) <= 0) {
        return Attempt.done(begin(request, candidate, name));
      }
      full.add("volumes use %s of the %s of %s".formatted(shown(used), most.get(), base));
    }
    return new Attempt.Failed<>(
        new Failure.Exhausted(
            "node %s has no capacity for %s: %s"
                .formatted(name, request.capacity(), String.join("; ", full)),
            ROOM_SOON));
  }

  private static String shown(BigDecimal bytes) {
    return Quantity.ofBytes(Quantity.of(bytes.toPlainString()).toBytesCeiling()).toString();
  }

  private List<VolumePlacement> sorted(String volume, List<VolumePlacement> candidates) {
    Begun before = begun.get(volume);
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

  private Reservation begin(Request request, VolumePlacement placement, String node) {
    Begun now =
        new Begun(node, placement.directory().path(), request.capacity(), nanos.getAsLong());
    return new Reservation(placement, begun.put(request.volumeName(), now) == null);
  }

  private void forget(List<Volume> all) {
    all.forEach(volume -> begun.remove(volume.meta().name()));
    long oldest = nanos.getAsLong() - UNSEEN.toNanos();
    begun.values().removeIf(one -> one.nanos - oldest < 0);
  }

  private BigDecimal used(BasePath base, String except, Optional<Node> node, List<Volume> all) {
    BigDecimal used = BigDecimal.ZERO;
    for (Volume volume : SharedDirectories.in(base, except, node, all)) {
      used = used.add(volume.storage().value());
    }
    for (Map.Entry<String, Begun> one : begun.entrySet()) {
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
      begun.remove(volume);
    } finally {
      lock.unlock();
    }
  }
}
