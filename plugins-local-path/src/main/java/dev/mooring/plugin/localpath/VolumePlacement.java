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
 * @param own whether the directory's name is unique to the volume
 * @param made contents of the PersistentVolume
 */
record VolumePlacement(VolumeDirectory directory, boolean own, Provisioned made) {
  static final String NODE = "local.path.provisioner/selected-node";

  private static final Set<String> OF_ONE_NODE = Set.of("ReadWriteOnce", "ReadWriteOncePod");

  static void check(Request request, NodePaths places, SizeLimits limits)
      throws InvalidInputException {
    limits
        .unless(LocalPathParameters.of(request.parameters(), request.classAnnotations()).limits())
        .check(request.capacity());
    volumeType(request);
    if (request.volumeMode() == VolumeMode.BLOCK) {
      throw new InvalidInputException(
          "volumes are directories, not block devices: remove volumeMode");
    }
    if (places instanceof NodePaths.Shared) {
      return;
    }
    for (String mode : request.accessModes().written()) {
      if (!OF_ONE_NODE.contains(mode)) {
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

  static List<VolumePlacement> of(Request request, NodePaths places, Optional<Node> node)
      throws InvalidInputException {
    LocalPathParameters parameters =
        LocalPathParameters.of(request.parameters(), request.classAnnotations());
    String nodeName = node.map(n -> n.meta().name()).orElse("");
    RelativePath below =
        parameters.pattern().isPresent()
            ? ofPattern(parameters.pattern().get(), request)
            : ownDirectory(request.volumeName(), request.claim());
    List<Map<String, String>> bound =
        places instanceof NodePaths.Shared || node.isEmpty()
            ? List.of()
            : List.of(label(node.get(), parameters.affinityKey()));
    List<VolumePlacement> all = new ArrayList<>();
    for (BasePath base : places.choose(nodeName, parameters.nodePath(), request.volumeName())) {
      VolumeDirectory directory = new VolumeDirectory(base, below);
      Provisioned made =
          new Provisioned(
              source(request, directory),
              request.capacity(),
              request.accessModes(),
              Map.of(NODE, nodeName),
              bound);
      all.add(new VolumePlacement(directory, parameters.pattern().isEmpty(), made));
    }
    return all;
  }

  private static RelativePath ofPattern(PathPattern pattern, Request request)
      throws InvalidInputException {
    RelativePath below;
    try {
      below = RelativePath.of(pattern.resolve(request).replaceFirst("/$", ""));
    } catch (PathRejectedException e) {
      throw new InvalidInputException(e);
    }
    ClaimInfo claim = request.claim();
    if (!below.startsWith(claim.key().namespace(), claim.key().name())) {
      throw new InvalidInputException(
          "pathPattern \"%s\" leads to \"%s\": it must begin with {{ .PVC.Namespace }}/{{ .PVC.Name }}, so that no claim gets the directory of another claim"
              .formatted(pattern.text(), below));
    }
    return below;
  }

  private static RelativePath ownDirectory(String volumeName, ClaimInfo claim)
      throws InvalidInputException {
    try {
      return RelativePath.of(volumeName + "_" + claim.key().namespace() + "_" + claim.key().name());
    } catch (PathRejectedException e) {
      throw new InvalidInputException(e);
    }
  }

  private static Map<String, String> label(Node node, String key) {
    return Map.of(key, node.meta().labels().getOrDefault(key, node.meta().name()));
  }

  private static LocalPathParameters.VolumeType volumeType(Request request)
      throws InvalidInputException {
    String ofClaim = request.claim().annotations().get("volumeType");
    return ofClaim == null
        ? LocalPathParameters.of(request.parameters(), request.classAnnotations()).volumeType()
        : LocalPathParameters.VolumeType.of("volumeType", ofClaim);
  }

  private static VolumeSource source(Request request, VolumeDirectory directory)
      throws InvalidInputException {
    return switch (volumeType(request)) {
      case HOST_PATH ->
          new VolumeSource(
              "hostPath", Map.of("path", directory.path(), "type", "DirectoryOrCreate"));
      case LOCAL -> VolumeSource.local(directory.path());
    };
  }
}
