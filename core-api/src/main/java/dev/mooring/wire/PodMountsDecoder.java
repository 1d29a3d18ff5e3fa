package dev.mooring.wire;

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
  private static final class OptionsDraft {
    static final MessageFields<OptionsDraft> MESSAGE =
        MessageFields.of(OptionsDraft::new)
            .with(1, "user", (d, in) -> d.user = in.readSharedText())
            .with(2, "role", (d, in) -> d.role = in.readSharedText())
            .with(3, "type", (d, in) -> d.type = in.readSharedText())
            .with(4, "level", (d, in) -> d.level = in.readSharedText());

    String user = "";
    String role = "";
    String type = "";
    String level = "";

    SeLinuxOptions toOptions() {
      return new SeLinuxOptions(user, role, type, level);
    }
  }

  private static final class ContainerDraft {
    static final MessageFields<ContainerDraft> SECURITY =
        MessageFields.of(ContainerDraft::new)
            .with(
                3,
                "seLinuxOptions",
                (d, in) -> d.label = OptionsDraft.MESSAGE.read(in).toOptions());

    static final MessageFields<ContainerDraft> MOUNT =
        MessageFields.of(ContainerDraft::new)
            .with(1, "name", (d, in) -> d.mounts.add(in.readSharedText()));

    static final MessageFields<ContainerDraft> MESSAGE =
        MessageFields.of(ContainerDraft::new)
            .with(9, "volumeMounts", MOUNT::readInto)
            .with(15, "securityContext", SECURITY::readInto);

    static final MessageFields<ContainerDraft> EPHEMERAL =
        MessageFields.of(ContainerDraft::new).withInline(1, MESSAGE);

    @Nullable SeLinuxOptions label;
    final List<String> mounts = new ArrayList<>();
  }

  private static final class VolumeDraft {
    static final MessageFields<VolumeDraft> CLAIM =
        MessageFields.of(VolumeDraft::new).with(1, "claimName", (d, in) -> d.claim = in.readText());

    static final MessageFields<VolumeDraft> SOURCE =
        VolumeSourceDecoder.addTypes(
                MessageFields.of(VolumeDraft::new),
                VolumeSourceDecoder.OF_POD,
                (d, source) -> d.source = source)
            .with(10, "persistentVolumeClaim", CLAIM::readInto)
            .with(
                29,
                "ephemeral",
                (d, in) -> {
                  d.isEphemeral = true;
                  in.skip();
                });

    static final MessageFields<VolumeDraft> MESSAGE =
        MessageFields.of(VolumeDraft::new)
            .with(1, "name", (d, in) -> d.name = in.readSharedText())
            .withInline(2, SOURCE);

    String name = "";
    String claim = "";
    boolean isEphemeral;
    VolumeSource source = VolumeSource.NONE;
  }

  private static final class PodDraft {
    static final MessageFields<PodDraft> SECURITY =
        MessageFields.of(PodDraft::new)
            .with(
                1, "seLinuxOptions", (d, in) -> d.label = OptionsDraft.MESSAGE.read(in).toOptions())
            .with(13, "seLinuxChangePolicy", (d, in) -> d.changePolicy = in.readSharedText());

    static final MessageFields<PodDraft> SPEC =
        MessageFields.of(PodDraft::new)
            .with(1, "volumes", (d, in) -> d.volumes.add(VolumeDraft.MESSAGE.read(in)))
            .with(2, "containers", (d, in) -> d.add(ContainerDraft.MESSAGE.read(in)))
            .with(14, "securityContext", SECURITY::readInto)
            .with(20, "initContainers", (d, in) -> d.add(ContainerDraft.MESSAGE.read(in)))
            .with(34, "ephemeralContainers", (d, in) -> d.add(ContainerDraft.EPHEMERAL.read(in)));

    static final MessageFields<PodDraft> STATUS =
        MessageFields.of(PodDraft::new)
            .with(1, "phase", (d, in) -> d.phase = Pod.Phase.of(in.readSharedText()));

    static final MessageFields<PodDraft> MESSAGE =
        MessageFields.of(PodDraft::new)
            .with(1, "metadata", (d, in) -> d.meta = MetaDecoder.decodeSlim(in, new boolean[1]))
            .with(2, "spec", SPEC::readInto)
            .with(3, "status", STATUS::readInto);

    Meta meta = MetaDecoder.getEmpty();
    Pod.Phase phase = Pod.Phase.UNSET;
    String changePolicy = "";
    @Nullable SeLinuxOptions label;
    final List<VolumeDraft> volumes = new ArrayList<>();
    final List<Container> containers = new ArrayList<>();

    void add(ContainerDraft container) {
      if (!container.mounts.isEmpty()) {
        containers.add(new Container(container.label, List.copyOf(container.mounts)));
      }
    }

    PodVolume toVolume(VolumeDraft volume) {
      return volume.isEphemeral
          ? new PodVolume(volume.name, meta.name() + "-" + volume.name, true, VolumeSource.NONE)
          : new PodVolume(volume.name, volume.claim, false, volume.source);
    }
  }

  private PodMountsDecoder() {}

  static PodMounts decode(WireReader in) throws IOException {
    PodDraft draft = PodDraft.MESSAGE.readOpen(in);
    return new PodMounts(
        draft.meta,
        draft.phase,
        draft.changePolicy,
        draft.label,
        draft.volumes.stream().map(draft::toVolume).toList(),
        WireReader.freeze(draft.containers));
  }
}
