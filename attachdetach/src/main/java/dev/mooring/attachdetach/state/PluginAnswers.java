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
  private final AttachRequeue requeue;
  private volatile Map<String, Long> answered = Map.of();

  public PluginAnswers(VolumeResolver resolver, AttachRequeue requeue) {
    this.resolver = resolver;
    this.requeue = requeue;
  }

  public void add(Map<String, Long> generations) {
    answered = generations;
  }

  // Resolves all pods again if a plugin has not answered yet.
  public void askSilentPlugins() {
    if (!answered.equals(resolver.generations())) {
      requeue.trigger(new PopulatorTrigger.OfPlugins());
    }
  }

  /**
   * Returns whether the plugin of a volume has answered for every known pod. Until then a volume
   * without pods may be in use. Requeues the question if not.
   */
  public boolean hasAnswered(VolumeId id) {
    boolean is = Objects.equals(answered.get(id.plugin()), resolver.generations().get(id.plugin()));
    if (!is) {
      requeue.trigger(new PopulatorTrigger.OfPlugins());
    }
    return is;
  }
}
