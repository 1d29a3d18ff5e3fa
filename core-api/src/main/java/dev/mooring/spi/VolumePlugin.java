package dev.mooring.spi;

import dev.mooring.model.VolumeSource;
import java.util.Optional;

/**
 * Plugin for one type of storage. All methods except {@link #start} and {@link #stop} are called
 * from many threads concurrently and must not block. The capabilities that they return do the work
 * and may block. The host reads the capabilities once, after {@link #start}; they must not change.
 */
public interface VolumePlugin {
  /**
   * Returns the name that StorageClasses use as provisioner, for example {@code
   * kubernetes.io/host-path}. Must never change.
   */
  String name();

  /**
   * Returns whether volumes of this source belong to the plugin. At most one loaded plugin may
   * return true for a source.
   */
  boolean supports(VolumeSource source);

  /**
   * Starts the plugin. Called once, before all other methods except {@link #name}. To reject a
   * configuration, throw an {@link IllegalArgumentException} that names the setting, its value and
   * the remedy.
   */
  default void start(PluginContext context) {}

  /**
   * Stops the plugin. Called once, after all other calls have returned, when the plugin is replaced
   * or removed or the host exits. Must stop all threads and close all resources within five
   * seconds; a leftover thread keeps the plugin's classes in memory. Must not change volumes.
   */
  default void stop() {}

  /** Returns the capability to provision volumes, if supported. */
  default Optional<Provisioner> provisioner() {
    return Optional.empty();
  }

  /** Returns the capability to attach volumes to nodes, if the plugin's volumes need it. */
  default Optional<Attacher> attacher() {
    return Optional.empty();
  }

  /**
   * Returns the capability to prove that a node is dead as far as this plugin's volumes are
   * concerned, if supported. Storage that fences nodes has the best evidence.
   */
  default Optional<NodeFencing> fencing() {
    return Optional.empty();
  }

  /** Returns the capability to expand volumes, if supported. */
  default Optional<Expander> expander() {
    return Optional.empty();
  }

  /** Returns the capability to measure used space, if supported. */
  default Optional<UsageMeter> usage() {
    return Optional.empty();
  }

  /** Returns the capability to find deleted volumes that still exist, if supported. */
  default Optional<VolumeInventory> inventory() {
    return Optional.empty();
  }

  /** Returns the capability to fill volumes from objects of the plugin's kinds, if supported. */
  default Optional<Populator> populator() {
    return Optional.empty();
  }

  /** Returns the capability to delete volumes, if supported. */
  default Optional<Deleter> deleter() {
    return Optional.empty();
  }
}
