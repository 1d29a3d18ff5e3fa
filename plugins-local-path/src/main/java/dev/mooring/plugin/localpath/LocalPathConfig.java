package dev.mooring.plugin.localpath;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Contents of {@code config.json}.
 *
 * @param timeout maximum run time of a helper pod
 * @param common paths for volumes of all classes; empty if each class has paths of its own
 * @param classes paths by class name; if not empty, other classes cannot have volumes
 * @param limits allowed sizes by class name; the key "" applies to all classes
 */
record LocalPathConfig(
    Duration timeout,
    Optional<NodePaths> common,
    Map<String, NodePaths> classes,
    Map<String, SizeLimits> limits) {
  LocalPathConfig {
    classes = Map.copyOf(classes);
    limits = Map.copyOf(limits);
  }

  SizeLimits limits(String className) {
    return limits.getOrDefault(classes.isEmpty() ? "" : className, SizeLimits.NONE);
  }

  boolean counts() {
    return Stream.concat(classes.values().stream(), common.stream()).anyMatch(NodePaths::counts);
  }

  NodePaths places(String className) throws InvalidInputException {
    if (classes.isEmpty()) {
      return common.orElseThrow(
          () -> new InvalidInputException("nodePathMap and sharedFileSystemPath are empty"));
    }
    NodePaths places = classes.get(className);
    if (places == null) {
      throw new InvalidInputException(
          "class \"%s\" is not in storageClassConfigs, which has %s"
              .formatted(className, new TreeSet<>(classes.keySet())));
    }
    return places;
  }

  List<BasePath> all() {
    return Stream.concat(classes.values().stream(), common.stream())
        .flatMap(places -> places.all().stream())
        .distinct()
        .toList();
  }
}
