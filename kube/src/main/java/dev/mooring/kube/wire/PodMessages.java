package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;

final class PodMessages {
  static final class PodSpec {
    static final int VOLUMES = 1;
    static final int CONTAINERS = 2;
    static final int NODE_NAME = 10;
    static final int SECURITY_CONTEXT = 14;
    static final int INIT_CONTAINERS = 20;
    static final int EPHEMERAL_CONTAINERS = 34;
    static final Fields ALL =
        Fields.of(VOLUMES, "volumes")
            .and(CONTAINERS, "containers")
            .and(NODE_NAME, "nodeName")
            .and(SECURITY_CONTEXT, "securityContext")
            .and(INIT_CONTAINERS, "initContainers")
            .and(EPHEMERAL_CONTAINERS, "ephemeralContainers");
  }

  static final class PodStatus {
    static final int PHASE = 1;
    static final int CONTAINER_STATUSES = 8;
    static final int INIT_CONTAINER_STATUSES = 10;
    static final int EPHEMERAL_CONTAINER_STATUSES = 13;
    static final Fields ALL =
        Fields.of(PHASE, "phase")
            .and(CONTAINER_STATUSES, "containerStatuses")
            .and(INIT_CONTAINER_STATUSES, "initContainerStatuses")
            .and(EPHEMERAL_CONTAINER_STATUSES, "ephemeralContainerStatuses");
  }

  static final class PodSource {
    static final int PERSISTENT_VOLUME_CLAIM = 10;
    static final int EPHEMERAL = 29;
    static final Fields ALL =
        Fields.of(PERSISTENT_VOLUME_CLAIM, "persistentVolumeClaim")
            .and(EPHEMERAL, "ephemeral")
            .and(VolumeSourceDecoder.OF_POD);
  }

  static final class VolumeFields {
    static final int NAME = 1;
    static final int VOLUME_SOURCE = 2;
    static final Fields ALL = Fields.of(NAME, "name").inline(VOLUME_SOURCE, PodSource.ALL);
  }

  static final class ClaimSource {
    static final int CLAIM_NAME = 1;
    static final Fields ALL = Fields.of(CLAIM_NAME, "claimName");
  }

  private PodMessages() {}
}
