package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.Container;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.PodMounts.SeLinuxOptions;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pods, read for what their containers mount and with which SELinux labels. */
final class Mounts {
  private static final int METADATA = 1;
  private static final int SPEC = 2;
  private static final int STATUS = 3;
  private static final Fields OBJECT =
      Fields.of(METADATA, "metadata").and(SPEC, "spec").and(STATUS, "status");

  private static final int PHASE = 1;
  private static final Fields POD_STATUS = Fields.of(PHASE, "phase");

  private static final int VOLUMES = 1;
  private static final int CONTAINERS = 2;
  private static final int POD_SECURITY = 14;
  private static final int INIT_CONTAINERS = 20;
  private static final int EPHEMERAL_CONTAINERS = 34;
  private static final Fields POD_SPEC =
      Fields.of(VOLUMES, "volumes")
          .and(CONTAINERS, "containers")
          .and(POD_SECURITY, "securityContext")
          .and(INIT_CONTAINERS, "initContainers")
          .and(EPHEMERAL_CONTAINERS, "ephemeralContainers");

  private static final int POD_LABEL = 1;
  private static final int CHANGE_POLICY = 13;
  private static final Fields POD_SECURITY_CONTEXT =
      Fields.of(POD_LABEL, "seLinuxOptions").and(CHANGE_POLICY, "seLinuxChangePolicy");

  private static final int VOLUME_MOUNTS = 9;
  private static final int SECURITY = 15;
  private static final Fields CONTAINER =
      Fields.of(VOLUME_MOUNTS, "volumeMounts").and(SECURITY, "securityContext");

  private static final int COMMON = 1;
  private static final Fields EPHEMERAL_CONTAINER = Fields.none().inline(COMMON, CONTAINER);

  private static final int LABEL = 3;
  private static final Fields SECURITY_CONTEXT = Fields.of(LABEL, "seLinuxOptions");

  private static final int USER = 1;
  private static final int ROLE = 2;
  private static final int TYPE = 3;
  private static final int LEVEL = 4;
  private static final Fields OPTIONS =
      Fields.of(USER, "user").and(ROLE, "role").and(TYPE, "type").and(LEVEL, "level");

  private static final int MOUNT_NAME = 1;
  private static final Fields MOUNT = Fields.of(MOUNT_NAME, "name");

  private static final int VOLUME_NAME = 1;
  private static final int VOLUME_SOURCE = 2;
  private static final int CLAIM = 10;
  private static final int EPHEMERAL = 29;
  private static final Fields SOURCE =
      Fields.of(CLAIM, "persistentVolumeClaim").and(EPHEMERAL, "ephemeral").and(Sources.OF_POD);
  private static final Fields VOLUME = Fields.of(VOLUME_NAME, "name").inline(VOLUME_SOURCE, SOURCE);

  private static final int CLAIM_NAME = 1;
  private static final Fields CLAIM_SOURCE = Fields.of(CLAIM_NAME, "claimName");

  private Meta meta = Metas.none();
  private Pod.Phase phase = Pod.Phase.UNSET;
  private String changePolicy = "";
  private @Nullable SeLinuxOptions label;
  private final List<PodVolume> volumes = new ArrayList<>();
  private final List<Container> containers = new ArrayList<>();

  private Mounts() {}

  static PodMounts pod(Wire in) throws IOException {
    Mounts pod = new Mounts();
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case METADATA -> pod.meta = Metas.slim(in, new boolean[1]);
        case SPEC -> pod.spec(in);
        case STATUS -> pod.status(in);
        default -> in.skip();
      }
    }
    return new PodMounts(
        pod.meta,
        pod.phase,
        pod.changePolicy,
        pod.label,
        pod.volumes.stream().map(pod::named).toList(),
        Wire.frozen(pod.containers));
  }

  /** A generic ephemeral volume's claim has the pod's name, which may come after the volume. */
  private PodVolume named(PodVolume volume) {
    return volume.ephemeral()
        ? new PodVolume(volume.name(), meta.name() + "-" + volume.name(), true, VolumeSource.NONE)
        : volume;
  }

  private void status(Wire in) throws IOException {
    for (int field = in.open(POD_STATUS); field != 0; field = in.next(POD_STATUS)) {
      if (field == PHASE) {
        phase = Pod.Phase.of(in.shared());
      } else {
        in.skip();
      }
    }
  }

  private void spec(Wire in) throws IOException {
    for (int field = in.open(POD_SPEC); field != 0; field = in.next(POD_SPEC)) {
      switch (field) {
        case VOLUMES -> volume(in);
        case CONTAINERS, INIT_CONTAINERS -> container(in, false);
        case EPHEMERAL_CONTAINERS -> container(in, true);
        case POD_SECURITY -> security(in);
        default -> in.skip();
      }
    }
  }

  private void security(Wire in) throws IOException {
    for (int field = in.open(POD_SECURITY_CONTEXT);
        field != 0;
        field = in.next(POD_SECURITY_CONTEXT)) {
      switch (field) {
        case POD_LABEL -> label = options(in);
        case CHANGE_POLICY -> changePolicy = in.shared();
        default -> in.skip();
      }
    }
  }

  private static SeLinuxOptions options(Wire in) throws IOException {
    String user = "";
    String role = "";
    String type = "";
    String level = "";
    for (int field = in.open(OPTIONS); field != 0; field = in.next(OPTIONS)) {
      switch (field) {
        case USER -> user = in.shared();
        case ROLE -> role = in.shared();
        case TYPE -> type = in.shared();
        case LEVEL -> level = in.shared();
        default -> in.skip();
      }
    }
    return new SeLinuxOptions(user, role, type, level);
  }

  /** What of a container is read; an ephemeral one's fields may come one by one. */
  private static final class Draft {
    final List<String> mounts = new ArrayList<>();
    @Nullable SeLinuxOptions label;

    void fields(Wire in) throws IOException {
      for (int field = in.next(CONTAINER); field != 0; field = in.next(CONTAINER)) {
        switch (field) {
          case VOLUME_MOUNTS -> mounts.add(Wire.share(in.only(MOUNT, MOUNT_NAME)));
          case SECURITY -> security(in);
          default -> in.skip();
        }
      }
    }

    private void security(Wire in) throws IOException {
      for (int field = in.open(SECURITY_CONTEXT); field != 0; field = in.next(SECURITY_CONTEXT)) {
        if (field == LABEL) {
          label = options(in);
        } else {
          in.skip();
        }
      }
    }
  }

  private void container(Wire in, boolean ephemeral) throws IOException {
    Draft draft = new Draft();
    in.open();
    if (ephemeral) {
      for (int field = in.next(EPHEMERAL_CONTAINER);
          field != 0;
          field = in.next(EPHEMERAL_CONTAINER)) {
        if (field == COMMON) {
          in.open();
          draft.fields(in);
        } else {
          in.skip();
        }
      }
    } else {
      draft.fields(in);
    }
    if (!draft.mounts.isEmpty()) {
      containers.add(new Container(draft.label, List.copyOf(draft.mounts)));
    }
  }

  private void volume(Wire in) throws IOException {
    String name = "";
    String claim = "";
    boolean ephemeral = false;
    VolumeSource source = VolumeSource.NONE;
    for (int field = in.open(VOLUME); field != 0; field = in.next(VOLUME)) {
      switch (field) {
        case VOLUME_NAME -> name = in.shared();
        case VOLUME_SOURCE -> {
          for (int f = in.open(SOURCE); f != 0; f = in.next(SOURCE)) {
            switch (f) {
              case CLAIM -> claim = in.only(CLAIM_SOURCE, CLAIM_NAME);
              case EPHEMERAL -> {
                ephemeral = true;
                in.skip();
              }
              default -> source = Sources.read(in, Sources.OF_POD.name(f));
            }
          }
        }
        default -> in.skip();
      }
    }
    volumes.add(new PodVolume(name, claim, ephemeral, source));
  }
}
