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
 */
record Config(Duration timeout, Optional<Places> common, Map<String, Places> classes) {
  Config {
    classes = Map.copyOf(classes);
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
