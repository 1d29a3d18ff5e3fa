package dev.mooring.kube.wire;

import dev.mooring.kube.wire.PodMessages.ClaimSource;
import dev.mooring.kube.wire.PodMessages.PodSource;
import dev.mooring.kube.wire.PodMessages.PodSpec;
import dev.mooring.kube.wire.PodMessages.PodStatus;
import dev.mooring.kube.wire.PodMessages.VolumeFields;
import dev.mooring.kube.wire.WireReader.Fields;
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

final class PodMountsDecoder {
  private static final class PodSecurity {
    static final int SE_LINUX_OPTIONS = 1;
    static final int SE_LINUX_CHANGE_POLICY = 13;
    static final Fields ALL =
        Fields.of(SE_LINUX_OPTIONS, "seLinuxOptions")
            .and(SE_LINUX_CHANGE_POLICY, "seLinuxChangePolicy");
  }

  private static final class ContainerFields {
    static final int VOLUME_MOUNTS = 9;
    static final int SECURITY_CONTEXT = 15;
    static final Fields ALL =
        Fields.of(VOLUME_MOUNTS, "volumeMounts").and(SECURITY_CONTEXT, "securityContext");
  }

  private static final class EphemeralContainer {
    static final int EPHEMERAL_CONTAINER_COMMON = 1;
    static final Fields ALL = Fields.none().inline(EPHEMERAL_CONTAINER_COMMON, ContainerFields.ALL);
  }

  private static final class ContainerSecurity {
    static final int SE_LINUX_OPTIONS = 3;
    static final Fields ALL = Fields.of(SE_LINUX_OPTIONS, "seLinuxOptions");
  }

  private static final class SeLinuxFields {
    static final int USER = 1;
    static final int ROLE = 2;
    static final int TYPE = 3;
    static final int LEVEL = 4;
    static final Fields ALL =
        Fields.of(USER, "user").and(ROLE, "role").and(TYPE, "type").and(LEVEL, "level");
  }

  private static final class VolumeMount {
    static final int NAME = 1;
    static final Fields ALL = Fields.of(NAME, "name");
  }

  private Meta meta = MetaDecoder.getEmpty();
  private Pod.Phase phase = Pod.Phase.UNSET;
  private String changePolicy = "";
  private @Nullable SeLinuxOptions label;
  private final List<PodVolume> volumes = new ArrayList<>();
  private final List<Container> containers = new ArrayList<>();

  private PodMountsDecoder() {}

  static PodMounts decode(WireReader in) throws IOException {
    PodMountsDecoder decoder = new PodMountsDecoder();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> decoder.meta = MetaDecoder.decodeSlim(in, new boolean[1]);
        case KubeObject.SPEC -> decoder.readSpec(in);
        case KubeObject.STATUS -> decoder.readStatus(in);
        default -> in.skip();
      }
    }
    return new PodMounts(
        decoder.meta,
        decoder.phase,
        decoder.changePolicy,
        decoder.label,
        decoder.volumes.stream().map(decoder::addClaimName).toList(),
        WireReader.freeze(decoder.containers));
  }

  private PodVolume addClaimName(PodVolume volume) {
    return volume.ephemeral()
        ? new PodVolume(volume.name(), meta.name() + "-" + volume.name(), true, VolumeSource.NONE)
        : volume;
  }

  private void readStatus(WireReader in) throws IOException {
    for (int field = in.open(PodStatus.ALL); field != 0; field = in.next(PodStatus.ALL)) {
      if (field == PodStatus.PHASE) {
        phase = Pod.Phase.of(in.readSharedText());
      } else {
        in.skip();
      }
    }
  }

  private void readSpec(WireReader in) throws IOException {
    for (int field = in.open(PodSpec.ALL); field != 0; field = in.next(PodSpec.ALL)) {
      switch (field) {
        case PodSpec.VOLUMES -> readVolume(in);
        case PodSpec.CONTAINERS, PodSpec.INIT_CONTAINERS -> readContainer(in, false);
        case PodSpec.EPHEMERAL_CONTAINERS -> readContainer(in, true);
        case PodSpec.SECURITY_CONTEXT -> readSecurity(in);
        default -> in.skip();
      }
    }
  }

  private void readSecurity(WireReader in) throws IOException {
    for (int field = in.open(PodSecurity.ALL); field != 0; field = in.next(PodSecurity.ALL)) {
      switch (field) {
        case PodSecurity.SE_LINUX_OPTIONS -> label = readOptions(in);
        case PodSecurity.SE_LINUX_CHANGE_POLICY -> changePolicy = in.readSharedText();
        default -> in.skip();
      }
    }
  }

  private static SeLinuxOptions readOptions(WireReader in) throws IOException {
    String user = "";
    String role = "";
    String type = "";
    String level = "";
    for (int field = in.open(SeLinuxFields.ALL); field != 0; field = in.next(SeLinuxFields.ALL)) {
      switch (field) {
        case SeLinuxFields.USER -> user = in.readSharedText();
        case SeLinuxFields.ROLE -> role = in.readSharedText();
        case SeLinuxFields.TYPE -> type = in.readSharedText();
        case SeLinuxFields.LEVEL -> level = in.readSharedText();
        default -> in.skip();
      }
    }
    return new SeLinuxOptions(user, role, type, level);
  }

  private static final class ContainerDraft {
    final List<String> mounts = new ArrayList<>();
    @Nullable SeLinuxOptions label;

    void readFields(WireReader in) throws IOException {
      for (int field = in.next(ContainerFields.ALL);
          field != 0;
          field = in.next(ContainerFields.ALL)) {
        switch (field) {
          case ContainerFields.VOLUME_MOUNTS ->
              mounts.add(
                  WireReader.shareText(in.readSingleField(VolumeMount.ALL, VolumeMount.NAME)));
          case ContainerFields.SECURITY_CONTEXT -> readSecurity(in);
          default -> in.skip();
        }
      }
    }

    private void readSecurity(WireReader in) throws IOException {
      for (int field = in.open(ContainerSecurity.ALL);
          field != 0;
          field = in.next(ContainerSecurity.ALL)) {
        if (field == ContainerSecurity.SE_LINUX_OPTIONS) {
          label = readOptions(in);
        } else {
          in.skip();
        }
      }
    }
  }

  private void readContainer(WireReader in, boolean isEphemeral) throws IOException {
    ContainerDraft draft = new ContainerDraft();
    in.open();
    if (isEphemeral) {
      for (int field = in.next(EphemeralContainer.ALL);
          field != 0;
          field = in.next(EphemeralContainer.ALL)) {
        if (field == EphemeralContainer.EPHEMERAL_CONTAINER_COMMON) {
          in.open();
          draft.readFields(in);
        } else {
          in.skip();
        }
      }
    } else {
      draft.readFields(in);
    }
    if (!draft.mounts.isEmpty()) {
      containers.add(new Container(draft.label, List.copyOf(draft.mounts)));
    }
  }

  private void readVolume(WireReader in) throws IOException {
    String name = "";
    String claim = "";
    boolean isEphemeral = false;
    VolumeSource source = VolumeSource.NONE;
    for (int field = in.open(VolumeFields.ALL); field != 0; field = in.next(VolumeFields.ALL)) {
      switch (field) {
        case VolumeFields.NAME -> name = in.readSharedText();
        case VolumeFields.VOLUME_SOURCE -> {
          for (int f = in.open(PodSource.ALL); f != 0; f = in.next(PodSource.ALL)) {
            switch (f) {
              case PodSource.PERSISTENT_VOLUME_CLAIM ->
                  claim = in.readSingleField(ClaimSource.ALL, ClaimSource.CLAIM_NAME);
              case PodSource.EPHEMERAL -> {
                isEphemeral = true;
                in.skip();
              }
              default ->
                  source = VolumeSourceDecoder.decode(in, VolumeSourceDecoder.OF_POD.getName(f));
            }
          }
        }
        default -> in.skip();
      }
    }
    volumes.add(new PodVolume(name, claim, isEphemeral, source));
  }
}
