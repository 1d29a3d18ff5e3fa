package dev.mooring.plugin.localpath;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What {@code config.json} says.
 *
 * @param timeout how long a helper pod may take
 * @param common where volumes of all classes may be; empty if each class has places of its own
 * @param classes where volumes may be, by class; where there are any, other classes have none
 * @param limits how much claims may ask for, by class; of all under ""
 */
record Config(
    Duration timeout,
    Optional<Places> common,
    Map<String, Places> classes,
    Map<String, Limits> limits) {
  Config {
    classes = Map.copyOf(classes);
    limits = Map.copyOf(limits);
  }

  /** How much claims of that class may ask for, if the class itself does not say. */
  Limits limits(String className) {
    return limits.getOrDefault(classes.isEmpty() ? "" : className, Limits.NONE);
  }

  /** Whether what is in any path is counted. */
  boolean counts() {
    return Stream.concat(classes.values().stream(), common.stream()).anyMatch(Places::counts);
  }

  /** Where volumes of that class may be. */
  Places places(String className) throws Refused {
    if (classes.isEmpty()) {
      return common.orElseThrow(
          () -> new Refused("nodePathMap and sharedFileSystemPath are empty"));
    }
    Places places = classes.get(className);
    if (places == null) {
      throw new Refused(
          "class \""
              + className
              + "\" is not in storageClassConfigs, which has "
              + new TreeSet<>(classes.keySet()));
    }
    return places;
  }

  /** All directories that volumes may be in. */
  List<BasePath> all() {
    return Stream.concat(classes.values().stream(), common.stream())
        .flatMap(places -> places.all().stream())
        .distinct()
        .toList();
  }
}
