package dev.mooring.provisioner.observe;

import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.Measurement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What was found in volumes when they were last measured. Thread-safe. */
public final class Measurements {
  private final Map<Uid, Measurement> found = new ConcurrentHashMap<>();

  /** Nothing is measured yet. */
  public Measurements() {}

  /**
   * Notes what was found.
   *
   * @return what was found before; null for nothing
   */
  public @Nullable Measurement note(Uid volume, Measurement now) {
    return found.put(volume, now);
  }

  /** It is not measured any more. */
  public void forget(Uid volume) {
    found.remove(volume);
  }

  /** All of them. */
  public List<Measurement> all() {
    return List.copyOf(found.values());
  }
}
