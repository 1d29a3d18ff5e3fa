package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.Map;
import java.util.Objects;

/**
 * The plugins that have answered which pods use their volumes, by the generation of each plugin.
 * Thread-safe.
 */
public final class PluginAnswers {
  private final VolumeResolver resolver;
  private final AttachRequeue queues;
  private volatile Map<String, Long> answeredGenerations = Map.of();

  public PluginAnswers(VolumeResolver resolver, AttachRequeue queues) {
    this.resolver = resolver;
    this.queues = queues;
  }

  public void recordAnswers(Map<String, Long> generations) {
    answeredGenerations = generations;
  }

  // Resolves all pods again if a plugin has not answered yet.
  public void requeueSilentPlugins() {
    if (!answeredGenerations.equals(resolver.generations())) {
      queues.addTrigger(new PopulatorTrigger.OfPlugins());
    }
  }

  /**
   * Returns whether the plugin of a volume has answered for every known pod. Until then a volume
   * without pods may be in use. Requeues the question if not.
   */
  public boolean hasAnswered(VolumeId id) {
    boolean isAnswered =
        Objects.equals(
            answeredGenerations.get(id.plugin()), resolver.generations().get(id.plugin()));
    if (!isAnswered) {
      queues.addTrigger(new PopulatorTrigger.OfPlugins());
    }
    return isAnswered;
  }
}
