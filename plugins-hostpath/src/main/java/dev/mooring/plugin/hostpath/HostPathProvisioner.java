package dev.mooring.plugin.hostpath;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Provisioner;
import java.util.Map;
import java.util.Optional;

final class HostPathProvisioner implements Provisioner {
  private static final Map<String, String> ANNOTATIONS =
      Map.of(HostPathDirectories.CREATED_BY, HostPathDirectories.HOST_PATH_PROVISIONER);

  private final HostPathDirectories directories;
  private final boolean enabled;

  HostPathProvisioner(HostPathDirectories directories, boolean enabled) {
    this.directories = directories;
    this.enabled = enabled;
  }

  @Override
  public Optional<String> refuses(Request request) {
    if (!request.mountOptions().isEmpty()) {
      return Optional.of(
          "Mount options are not supported by the provisioner but StorageClass \"%s\" has mount options %s"
              .formatted(request.className(), request.mountOptions()));
    }
    if (!enabled) {
      return Optional.of(
          "Failed to create provisioner: provisioning in volume plugin \"kubernetes.io/host-path\" is disabled (start with --enable-hostpath-provisioner)");
    }
    return Optional.empty();
  }

  @Override
  public boolean needsFullClaims(Map<String, String> parameters) {
    return false;
  }

  @Override
  public Attempt<Provisioned> provision(Request request) {
    if (request.volumeMode() == VolumeMode.BLOCK) {
      return Attempt.rejected("kubernetes.io/host-path does not support block volume provisioning");
    }
    return switch (directories.create(request.volumeName())) {
      case Attempt.Done<String>(String path) -> {
        AccessModes modes =
            request.accessModes().written().isEmpty()
                ? AccessModes.of("ReadWriteOnce")
                : request.accessModes();
        yield Attempt.done(
            new Provisioned(VolumeSource.hostPath(path), request.capacity(), modes, ANNOTATIONS));
      }
      case Attempt.Failed<String>(var failure) -> new Attempt.Failed<>(failure);
    };
  }
}
