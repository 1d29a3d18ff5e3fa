package dev.mooring.provisioner.usage;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.spi.UsageMeter.Usage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What was found in volumes when they were last measured. Thread-safe. */
public final class Measurements {
  /**
   * What was found.
   *
   * @param claim whose volume it is
   * @param volume its name
   * @param usage what is in it
   * @param capacity how large it is
   */
  public record Found(ObjectKey claim, String volume, Usage usage, Quantity capacity) {
    /** Whether it holds more than it has. */
    public boolean isOver() {
      return usage.bytes() > capacity.toBytesCeiling();
    }
  }

  private final Map<Uid, Found> found = new ConcurrentHashMap<>();

  /** Nothing is measured yet. */
  Measurements() {}

  /**
   * Notes what was found.
   *
   * @return whether its user has to hear of it: it has gone over its size, or back
   */
  boolean note(Uid volume, Found now) {
    Found before = found.put(volume, now);
    return now.isOver() != (before != null && before.isOver());
  }

  void forget(Uid volume) {
    found.remove(volume);
  }

  /** All of them. */
  public List<Found> all() {
    return List.copyOf(found.values());
  }
}
