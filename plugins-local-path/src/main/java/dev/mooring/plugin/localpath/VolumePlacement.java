package dev.mooring.plugin.localpath;

import dev.mooring.model.Node;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.Provisioner.Request;
import dev.mooring.spi.files.PathPattern;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Directory of a new volume and the contents of its PersistentVolume, compatible with
 * local-path-provisioner. Pure.
 *
 * @param hasOwnDirectory whether the directory's name is unique to the volume
 * @param provisioned contents of the PersistentVolume
 */
record VolumePlacement(
    VolumeDirectory directory, boolean hasOwnDirectory, Provisioned provisioned) {
  static final String NODE_ANNOTATION = "local.path.provisioner/selected-node";

  private static final Set<String> SINGLE_NODE_MODES = Set.of("ReadWriteOnce", "ReadWriteOncePod");

  static void check(Request request, NodePaths nodePaths, SizeLimits limits)
      throws InvalidInputException {
    limits
        .overriddenBy(
            LocalPathParameters.of(request.parameters(), request.classAnnotations()).limits())
        .check(request.capacity());
    readVolumeType(request);
    if (request.volumeMode() == VolumeMode.BLOCK) {
      throw new InvalidInputException(
          "volumes are directories, not block devices: remove volumeMode");
    }
    if (nodePaths instanceof NodePaths.Shared) {
      return;
    }
    for (String mode : request.accessModes().written()) {
      if (!SINGLE_NODE_MODES.contains(mode)) {
        throw new InvalidInputException(
            "access mode %s: a directory of one node supports only ReadWriteOnce and ReadWriteOncePod"
                .formatted(mode));
      }
    }
    if (request.selectedNode() == null) {
      throw new InvalidInputException(
          "no node is selected: set volumeBindingMode WaitForFirstConsumer in class %s and re-create the class"
              .formatted(request.className()));
    }
  }

  static List<VolumePlacement> of(Request request, NodePaths nodePaths, Optional<Node> node)
      throws InvalidInputException {
    LocalPathParameters parameters =
        LocalPathParameters.of(request.parameters(), request.classAnnotations());
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    RelativePath relativePath =
        parameters.pattern().isPresent()
            ? resolvePattern(parameters.pattern().get(), request)
            : defaultDirectory(request.volumeName(), request.claim());
    List<Map<String, String>> nodeLabels =
        nodePaths instanceof NodePaths.Shared || node.isEmpty()
            ? List.of()
            : List.of(selectLabel(node.get(), parameters.affinityKey()));
    List<VolumePlacement> placements = new ArrayList<>();
    for (BasePath base : nodePaths.choose(nodeName, parameters.nodePath(), request.volumeName())) {
      VolumeDirectory directory = new VolumeDirectory(base, relativePath);
      Provisioned provisioned =
          new Provisioned(
              createSource(request, directory),
              request.capacity(),
              request.accessModes(),
              Map.of(NODE_ANNOTATION, nodeName),
              nodeLabels);
      placements.add(new VolumePlacement(directory, parameters.pattern().isEmpty(), provisioned));
    }
    return placements;
  }

  private static RelativePath resolvePattern(PathPattern pattern, Request request)
      throws InvalidInputException {
    RelativePath relativePath;
    try {
      relativePath = RelativePath.of(pattern.resolve(request).replaceFirst("/$", ""));
    } catch (PathRejectedException e) {
      throw new InvalidInputException(e);
    }
    ClaimInfo claim = request.claim();
    if (!relativePath.startsWith(claim.key().namespace(), claim.key().name())) {
      throw new InvalidInputException(
          "pathPattern \"%s\" leads to \"%s\": it must begin with {{ .PVC.Namespace }}/{{ .PVC.Name }}, so that no claim gets the directory of another claim"
              .formatted(pattern.text(), relativePath));
    }
    return relativePath;
  }

  private static RelativePath defaultDirectory(String volumeName, ClaimInfo claim)
      throws InvalidInputException {
    try {
      return RelativePath.of(volumeName + "_" + claim.key().namespace() + "_" + claim.key().name());
    } catch (PathRejectedException e) {
      throw new InvalidInputException(e);
    }
  }

  private static Map<String, String> selectLabel(Node node, String key) {
    return Map.of(key, node.meta().labels().getOrDefault(key, node.meta().name()));
  }

  private static LocalPathParameters.VolumeType readVolumeType(Request request)
      throws InvalidInputException {
    String claimValue = request.claim().annotations().get("volumeType");
    return claimValue == null
        ? LocalPathParameters.of(request.parameters(), request.classAnnotations()).volumeType()
        : LocalPathParameters.VolumeType.of("volumeType", claimValue);
  }

  private static VolumeSource createSource(Request request, VolumeDirectory directory)
      throws InvalidInputException {
    return switch (readVolumeType(request)) {
      case HOST_PATH ->
          new VolumeSource(
              "hostPath", Map.of("path", directory.path(), "type", "DirectoryOrCreate"));
      case LOCAL -> VolumeSource.local(directory.path());
    };
  }
}
