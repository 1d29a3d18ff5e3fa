package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRefused;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a StorageClass says: its parameters, and the annotations that local-path-provisioner reads.
 *
 * @param nodePath the path that its volumes are in, "" for any of a node's
 * @param pattern where below it; empty for a directory named after volume, namespace and claim
 * @param affinityKey the label of nodes that its volumes are bound to
 * @param volumeType what its volumes are if claims do not say it
 * @param limits how much its claims may ask for
 */
record LocalPathParameters(
    String nodePath,
    Optional<PathPattern> pattern,
    String affinityKey,
    VolumeType volumeType,
    Limits limits) {
  /** What a volume is for Kubernetes. */
  enum VolumeType {
    HOST_PATH,
    LOCAL;

    /** Reads the annotations {@code volumeType} and {@code defaultVolumeType}. */
    static VolumeType of(String annotation, String written) throws Refused {
      return switch (written.toLowerCase(Locale.ROOT)) {
        case "hostpath" -> HOST_PATH;
        case "local" -> LOCAL;
        default ->
            throw new Refused(
                "annotation "
                    + annotation
                    + " \""
                    + written
                    + "\" is not known: name hostPath or local");
      };
    }
  }

  /** The label that each node has for itself. */
  static final String HOSTNAME = "kubernetes.io/hostname";

  private static final String UNSAFE = "allowUnsafePathPattern";
  private static final Set<String> NOT_BUILT = Set.of("userPattern", "groupPattern", "permPattern");
  private static final Set<String> KNOWN =
      Set.of("nodePath", "pathPattern", "nodeAffinityKey", UNSAFE, Limits.LEAST, Limits.MOST);

  /** Reads them. The message of a refusal names the parameter, its value and the remedy. */
  static LocalPathParameters of(Map<String, String> parameters, Map<String, String> annotations)
      throws Refused {
    checkNames(parameters, annotations);
    String unsafe = parameters.getOrDefault(UNSAFE, annotations.getOrDefault(UNSAFE, "false"));
    if (!Set.of("false", "False", "FALSE", "f", "F", "0").contains(unsafe)) {
      throw new Refused(
          UNSAFE
              + " \""
              + unsafe
              + "\": a claim could get another one's directory: begin pathPattern with {{"
              + " .PVC.Namespace }}/{{ .PVC.Name }} and leave it away");
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
        Limits.of(parameters));
  }

  private static void check(PathPattern pattern) throws Refused {
    try {
      pattern.check();
    } catch (PathRefused e) {
      throw new Refused(e);
    }
  }

  /** Nothing is asked for that is not known, or not built. */
  private static void checkNames(Map<String, String> parameters, Map<String, String> annotations)
      throws Refused {
    for (String name : new TreeSet<>(parameters.keySet())) {
      if (NOT_BUILT.contains(name)) {
        throw notBuilt(name);
      }
      if (!KNOWN.contains(name)) {
        throw new Refused(
            "parameter \""
                + name
                + "\" is not known: "
                + SimilarName.to(name, KNOWN)
                    .map(nearest -> "did you mean \"" + nearest + "\"?")
                    .orElse("there are " + new TreeSet<>(KNOWN)));
      }
    }
    for (String name : NOT_BUILT) {
      if (annotations.containsKey(name)) {
        throw notBuilt(name);
      }
    }
  }

  private static Refused notBuilt(String name) {
    return new Refused(
        name + " is not built: directories are of mode 0777, and belong to whoever makes them");
  }
}
