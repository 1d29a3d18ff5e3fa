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
 * @param commonPaths paths for volumes of all classes; empty if each class has paths of its own
 * @param pathsByClass paths by class name; if not empty, other classes cannot have volumes
 * @param limitsByClass allowed sizes by class name; without pathsByClass, the key "" has those of
 *     all classes
 */
record LocalPathConfig(
    Duration timeout,
    Optional<NodePaths> commonPaths,
    Map<String, NodePaths> pathsByClass,
    Map<String, SizeLimits> limitsByClass) {
  private static final NodePaths NO_PATHS = new NodePaths.PerNode(Map.of(), Map.of());

  LocalPathConfig {
    pathsByClass = Map.copyOf(pathsByClass);
    limitsByClass = Map.copyOf(limitsByClass);
  }

  SizeLimits limits(String className) {
    return limitsByClass.getOrDefault(pathsByClass.isEmpty() ? "" : className, SizeLimits.NONE);
  }

  boolean hasMaxCapacity() {
    return Stream.concat(pathsByClass.values().stream(), commonPaths.stream())
        .anyMatch(NodePaths::hasMaxCapacity);
  }

  NodePaths nodePaths(String className) throws InvalidInputException {
    if (pathsByClass.isEmpty()) {
      return commonPaths.orElseThrow(
          () -> new InvalidInputException("nodePathMap and sharedFileSystemPath are empty"));
    }
    NodePaths paths = pathsByClass.get(className);
    if (paths == null) {
      throw new InvalidInputException(
          "class \"%s\" is not in storageClassConfigs, which has %s"
              .formatted(className, new TreeSet<>(pathsByClass.keySet())));
    }
    return paths;
  }

  // A volume may be older than the configuration, which need not contain its class any more.
  NodePaths nodePathsForRemoval(String className) {
    return pathsByClass.isEmpty()
        ? commonPaths.orElse(NO_PATHS)
        : pathsByClass.getOrDefault(className, NO_PATHS);
  }

  List<BasePath> basePaths() {
    return Stream.concat(pathsByClass.values().stream(), commonPaths.stream())
        .flatMap(paths -> paths.basePaths().stream())
        .distinct()
        .toList();
  }
}
