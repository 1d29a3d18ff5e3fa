package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.UsageMeasurement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Latest measurement of each volume. Thread-safe. */
public final class UsageMeasurements {
  private final Map<Uid, UsageMeasurement> found = new ConcurrentHashMap<>();

  public UsageMeasurements() {}

  public @Nullable UsageMeasurement note(Uid volume, UsageMeasurement now) {
    return found.put(volume, now);
  }

  public void forget(Uid volume) {
    found.remove(volume);
  }

  public List<UsageMeasurement> all() {
    return List.copyOf(found.values());
  }
}
