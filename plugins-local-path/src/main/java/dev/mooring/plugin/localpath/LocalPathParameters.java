package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRejectedException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parameters of a StorageClass, and the annotations that local-path-provisioner reads.
 *
 * @param nodePath path for the class's volumes, "" for any path of a node
 * @param pattern directory below the path; empty for a directory named after volume, namespace and
 *     claim
 * @param affinityKey node label in the volumes' node affinity
 * @param volumeType type of volumes whose claim sets none
 * @param limits allowed sizes of claims
 */
record LocalPathParameters(
    String nodePath,
    Optional<PathPattern> pattern,
    String affinityKey,
    VolumeType volumeType,
    SizeLimits limits) {
  enum VolumeType {
    HOST_PATH,
    LOCAL;

    static VolumeType of(String annotation, String text) throws InvalidInputException {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "hostpath" -> HOST_PATH;
        case "local" -> LOCAL;
        default ->
            throw new InvalidInputException(
                "annotation %s \"%s\" is unknown: use hostPath or local"
                    .formatted(annotation, text));
      };
    }
  }

  static final String HOSTNAME = "kubernetes.io/hostname";

  private static final String UNSAFE_PATTERN = "allowUnsafePathPattern";
  private static final Set<String> UNSUPPORTED =
      Set.of("userPattern", "groupPattern", "permPattern");
  private static final Set<String> KNOWN_NAMES =
      Set.of(
          "nodePath",
          "pathPattern",
          "nodeAffinityKey",
          UNSAFE_PATTERN,
          SizeLimits.MIN_SIZE,
          SizeLimits.MAX_SIZE);

  static LocalPathParameters of(Map<String, String> parameters, Map<String, String> annotations)
      throws InvalidInputException {
    checkNames(parameters, annotations);
    String unsafe =
        parameters.getOrDefault(UNSAFE_PATTERN, annotations.getOrDefault(UNSAFE_PATTERN, "false"));
    if (!Set.of("false", "False", "FALSE", "f", "F", "0").contains(unsafe)) {
      throw new InvalidInputException(
          "%s \"%s\": a claim could get the directory of another claim: begin pathPattern with {{ .PVC.Namespace }}/{{ .PVC.Name }} and remove this parameter"
              .formatted(UNSAFE_PATTERN, unsafe));
    }
    Optional<PathPattern> pattern =
        Optional.ofNullable(parameters.get("pathPattern"))
            .map(text -> new PathPattern(text, GoTemplateSyntax.INSTANCE));
    if (pattern.isPresent()) {
      check(pattern.get());
    }
    String key = parameters.getOrDefault("nodeAffinityKey", "");
    return new LocalPathParameters(
        parameters.getOrDefault("nodePath", ""),
        pattern,
        key.isEmpty() ? HOSTNAME : key,
        VolumeType.of(
            "defaultVolumeType", annotations.getOrDefault("defaultVolumeType", "hostPath")),
        SizeLimits.of(parameters));
  }

  private static void check(PathPattern pattern) throws InvalidInputException {
    try {
      pattern.check();
    } catch (PathRejectedException e) {
      throw new InvalidInputException(e);
    }
  }

  private static void checkNames(Map<String, String> parameters, Map<String, String> annotations)
      throws InvalidInputException {
    for (String name : new TreeSet<>(parameters.keySet())) {
      if (UNSUPPORTED.contains(name)) {
        throw unsupportedParameter(name);
      }
      if (!KNOWN_NAMES.contains(name)) {
        throw new InvalidInputException(
            "parameter \""
                + name
                + "\" is unknown: "
                + SimilarName.findNearest(name, KNOWN_NAMES)
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("there are " + new TreeSet<>(KNOWN_NAMES)));
      }
    }
    for (String name : UNSUPPORTED) {
      if (annotations.containsKey(name)) {
        throw unsupportedParameter(name);
      }
    }
  }

  private static InvalidInputException unsupportedParameter(String name) {
    return new InvalidInputException(
        name
            + " is not supported: directories have mode 0777 and the owner of the creating process");
  }
}
