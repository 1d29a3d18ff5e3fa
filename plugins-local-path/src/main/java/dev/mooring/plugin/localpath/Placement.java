package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which directory a new volume gets, and what its PersistentVolume says: as local-path-provisioner
 * has both. Pure.
 *
 * @param directory the directory
 * @param own whether no other volume can ever have it, by its name
 * @param made what the PersistentVolume says
 */
record Placement(Directory directory, boolean own, Provisioned made) {
  /** On volumes: the name of the node that it was made for, "" if it is on all of them. */
  static final String NODE = "local.path.provisioner/selected-node";

  private static final Set<String> OF_ONE_NODE = Set.of("ReadWriteOnce", "ReadWriteOncePod");

  /**
   * Refuses what can never be, whatever the nodes are.
   *
   * @param limits what the configuration says of sizes
   */
  static void check(Request request, Places places, Limits limits) throws Refused {
    limits
        .unless(LocalPathParameters.of(request.parameters(), request.classAnnotations()).limits())
        .check(request.capacity());
    volumeType(request);
    if (request.volumeMode() == VolumeMode.BLOCK) {
      throw new Refused("volumes are directories, not block devices: leave volumeMode away");
    }
    if (places instanceof Places.Shared) {
      return;
    }
    for (String mode : request.accessModes().written()) {
      if (!OF_ONE_NODE.contains(mode)) {
        throw new Refused(
            "access mode "
                + mode
                + ": a directory of one node has ReadWriteOnce and ReadWriteOncePod alone");
      }
    }
    if (request.selectedNode() == null) {
      throw new Refused(
          "no node is selected: give class "
              + request.className()
              + " the volumeBindingMode WaitForFirstConsumer");
    }
  }

  /**
   * Decides: where it may be, the best first; never none.
   *
   * @param node the selected one; empty only if the places are shared
   */
  static List<Placement> of(Request request, Places places, Optional<Node> node) throws Refused {
    LocalPathParameters parameters =
        LocalPathParameters.of(request.parameters(), request.classAnnotations());
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    RelativePath below =
        parameters.pattern().isPresent()
            ? ofPattern(parameters.pattern().get(), request)
            : ownDirectory(request.volumeName(), request.claim());
    List<Map<String, String>> bound =
        places instanceof Places.Shared || node.isEmpty()
            ? List.of()
            : List.of(label(node.get(), parameters.affinityKey()));
    List<Placement> all = new ArrayList<>();
    for (BasePath base : places.choose(nodeName, parameters.nodePath(), request.volumeName())) {
      Directory directory = new Directory(base, below);
      Provisioned made =
          new Provisioned(
              source(request, directory),
              request.capacity(),
              request.accessModes(),
              Map.of(NODE, nodeName),
              bound);
      all.add(new Placement(directory, parameters.pattern().isEmpty(), made));
    }
    return all;
  }

  /** The directory for a claim, below its namespace and name. */
  private static RelativePath ofPattern(PathPattern pattern, Request request) throws Refused {
    RelativePath below;
    try {
      below = RelativePath.of(pattern.resolve(request).replaceFirst("/$", ""));
    } catch (PathRefused e) {
      throw new Refused(e);
    }
    ClaimInfo claim = request.claim();
    if (!below.startsWith(claim.key().namespace(), claim.key().name())) {
      throw new Refused(
          "pathPattern \""
              + pattern.text()
              + "\" leads to \""
              + below
              + "\": it must begin with {{ .PVC.Namespace }}/{{ .PVC.Name }}, so that no claim gets another one's directory");
    }
    return below;
  }

  private static RelativePath ownDirectory(String volumeName, ClaimInfo claim) throws Refused {
    try {
      return RelativePath.of(volumeName + "_" + claim.key().namespace() + "_" + claim.key().name());
    } catch (PathRefused e) {
      throw new Refused(e);
    }
  }

  private static Map<String, String> label(Node node, String key) {
    return Map.of(key, node.meta().labels().getOrDefault(key, node.meta().name()));
  }

  private static LocalPathParameters.VolumeType volumeType(Request request) throws Refused {
    String ofClaim = request.claim().annotations().get("volumeType");
    return ofClaim == null
        ? LocalPathParameters.of(request.parameters(), request.classAnnotations()).volumeType()
        : LocalPathParameters.VolumeType.of("volumeType", ofClaim);
  }

  private static VolumeSource source(Request request, Directory directory) throws Refused {
    return switch (volumeType(request)) {
      case HOST_PATH ->
          new VolumeSource(
              "hostPath", Map.of("path", directory.path(), "type", "DirectoryOrCreate"));
      case LOCAL -> VolumeSource.local(directory.path());
    };
  }
}
