package dev.mooring.operation;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Optional;

/**
 * The plugins that are loaded, guarded. Thread-safe; the answers may change between calls when
 * plugins come and go.
 */
public interface Plugins {
  /** The plugin of that name. */
  Optional<VolumePlugin> named(String name);

  /** The plugins that say the source is theirs: one at most, if they keep the contract. */
  List<VolumePlugin> supporting(VolumeSource source);
}
