package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.UsageMeasurement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Latest measurement of each volume. Thread-safe. */
public final class UsageMeasurements {
  private final Map<Uid, UsageMeasurement> measurements = new ConcurrentHashMap<>();

  public UsageMeasurements() {}

  /** Stores the measurement and returns the previous one; null for the first. */
  public @Nullable UsageMeasurement replace(Uid volume, UsageMeasurement current) {
    return measurements.put(volume, current);
  }

  public void forget(Uid volume) {
    measurements.remove(volume);
  }

  public List<UsageMeasurement> listMeasurements() {
    return List.copyOf(measurements.values());
  }
}
