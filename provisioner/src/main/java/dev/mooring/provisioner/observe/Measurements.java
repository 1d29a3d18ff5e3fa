package dev.mooring.provisioner.observe;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.Measurement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Latest measurement of each volume. Thread-safe. */
public final class Measurements {
  private final Map<Uid, Measurement> found = new ConcurrentHashMap<>();

  public Measurements() {}

  /**
   * Stores a measurement.
   *
   * @return the previous measurement; null if there is none
   */
  public @Nullable Measurement note(Uid volume, Measurement now) {
    return found.put(volume, now);
  }

  public void forget(Uid volume) {
    found.remove(volume);
  }

  public List<Measurement> all() {
    return List.copyOf(found.values());
  }
}
