package dev.mooring.storage;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The plugins that are loaded, guarded. Thread-safe; the answers may change between calls when
 * plugins come and go.
 */
public interface Plugins {
  /** None are loaded. */
  Plugins NONE =
      new Plugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return Optional.empty();
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return List.of();
        }
      };

  /** The plugin of that name. */
  Optional<VolumePlugin> named(String name);

  /** The plugins that say the source is theirs: one at most, if they keep the contract. */
  List<VolumePlugin> supporting(VolumeSource source);

  /**
   * The plugins that are not Kubernetes' own ones: those too that are not there at the moment,
   * whose calls fail then. Where only Kubernetes' own are known, none.
   */
  default List<VolumePlugin> outOfTree() {
    return List.of();
  }

  /**
   * Tells about plugins that have come, were replaced or have gone, by their names, after each
   * change, on any thread; the listener must be quick. Where that never happens, never.
   */
  default void onChange(Consumer<Set<String>> listener) {}

  /**
   * The names of all plugins that are or were there, each with a number that changes whenever what
   * it was asked at once may have to be asked again: it has come, was replaced or taken away, or
   * did not answer. As long as all numbers are the same, no answer of {@link #named}, {@link
   * #supporting} or a plugin was given for want of a better one. A snapshot.
   */
  default Map<String, Long> generations() {
    return Map.of();
  }
}
