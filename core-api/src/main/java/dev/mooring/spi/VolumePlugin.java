package dev.mooring.spi;

import dev.mooring.model.VolumeSource;
import java.util.Optional;

/**
 * One kind of storage. Methods other than {@link #start} and {@link #stop} are called from many
 * threads at once and must return at once; work is done by the capabilities they return, which may
 * block. What it is capable of is asked once, after {@link #start}, and does not change.
 */
public interface VolumePlugin {
  /**
   * The name that StorageClasses use as provisioner, for example {@code kubernetes.io/host-path}.
   * Never changes.
   */
  String name();

  /**
   * Whether volumes of this source are the plugin's. Of all plugins loaded at most one may say yes.
   */
  boolean supports(VolumeSource source);

  /**
   * Called once, before anything else but {@link #name}. To refuse service, throw an {@link
   * IllegalArgumentException} that names the setting, its value and the remedy.
   */
  default void start(PluginContext context) {}

  /**
   * Called once, after the last call, when the plugin is replaced or taken away, or the host ends:
   * end the threads, close what is open. What is left over keeps the plugin's classes in memory.
   * Volumes stay as they are. To be done within five seconds.
   */
  default void stop() {}

  /** Makes volumes, if the plugin can. */
  default Optional<Provisioner> provisioner() {
    return Optional.empty();
  }

  /** Attaches volumes to nodes, if the plugin's volumes need that. */
  default Optional<Attacher> attacher() {
    return Optional.empty();
  }

  /**
   * Finds out whether a node is dead as far as this plugin's volumes are concerned, if the plugin
   * can: storage that locks a node out knows better than anybody else.
   */
  default Optional<NodeFencing> fencing() {
    return Optional.empty();
  }

  /** Makes volumes larger, if the plugin can. */
  default Optional<Expander> expander() {
    return Optional.empty();
  }

  /** Measures how full volumes are, if the plugin can. */
  default Optional<UsageMeter> usage() {
    return Optional.empty();
  }

  /** Destroys volumes, if the plugin can. */
  default Optional<Deleter> deleter() {
    return Optional.empty();
  }
}
