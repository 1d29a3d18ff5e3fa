package dev.mooring.workqueue;

import dev.mooring.workqueue.ActiveKeys.Entry;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes keys lane by lane, as a {@link LaneGate} admits them, and the owners of each lane in turn
 * (G13). Not thread-safe; guarded by the queue's lock.
 */
final class GatedKeys<K> implements ReadyKeys<K> {
  private final LaneGate<K> gate;
  private final WorkerReserve reserve = new WorkerReserve();
  private final List<Fair<K>> lanes;

  GatedKeys(Function<K, Object> ownerOf, LaneGate<K> gate) {
    this.gate = gate;
    this.lanes =
        IntStream.range(0, gate.laneCount())
            .mapToObj(lane -> new Fair<>(ownerOf, reserve))
            .toList();
  }

  @Override
  public void add(Entry<K> entry) {
    int lane = gate.laneOf(entry.key());
    entry.setLane(lane);
    lanes.get(lane).add(entry);
  }

  @Override
  public void expedite(Entry<K> entry) {
    lanes.get(entry.lane()).expedite(entry);
  }

  @Override
  public @Nullable Entry<K> poll() {
    int lane = 0;
    while (lane < lanes.size()) {
      Entry<K> entry = pollLane(lane);
      if (entry == null) {
        lane++;
      } else if (gate.laneOf(entry.key()) == lane) {
        return entry;
      } else {
        gate.leave(lane);
        add(entry);
        lane = 0; // the key's new lane may be an earlier one
      }
    }
    return null;
  }

  private @Nullable Entry<K> pollLane(int lane) {
    if (lanes.get(lane).size() == 0 || !gate.tryEnter(lane)) {
      return null;
    }
    Entry<K> entry = lanes.get(lane).poll();
    if (entry == null) {
      gate.leave(lane);
    }
    return entry;
  }

  @Override
  public int size() {
    return lanes.stream().mapToInt(Fair::size).sum();
  }

  @Override
  public void startProcessing(Entry<K> entry) {
    lanes.get(entry.lane()).startProcessing(entry);
  }

  @Override
  public boolean endProcessing(Entry<K> entry) {
    gate.leave(entry.lane());
    reserve.endProcessing(entry.owner());
    return size() > 0;
  }

  @Override
  public void setWorkers(int workers) {
    reserve.setWorkers(workers);
  }

  @Override
  public boolean canBecomeReady() {
    return size() > 0;
  }
}
