package dev.mooring.wire;

import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.VolumeSource;
import dev.mooring.wire.MessageFields.ObjectDraft;
import dev.mooring.wire.WireReader.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class WorkloadKinds {
  // pods are by far the most objects: a draft per message would cost a tenth of the decoding
  private static final class PodFields {
    static final int METADATA = 1;
    static final int SPEC = 2;
    static final int STATUS = 3;
    static final Fields ALL =
        Fields.of(METADATA, "metadata").and(SPEC, "spec").and(STATUS, "status");
  }

  private static final class PodSpec {
    static final int VOLUMES = 1;
    static final int NODE_NAME = 10;
    static final Fields ALL = Fields.of(VOLUMES, "volumes").and(NODE_NAME, "nodeName");
  }

  private static final class PodStatus {
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

  private static final class PodSource {
    static final int PERSISTENT_VOLUME_CLAIM = 10;
    static final int EPHEMERAL = 29;
    static final Fields ALL =
        Fields.of(PERSISTENT_VOLUME_CLAIM, "persistentVolumeClaim")
            .and(EPHEMERAL, "ephemeral")
            .and(VolumeSourceDecoder.OF_POD);
  }

  private static final class VolumeFields {
    static final int NAME = 1;
    static final int VOLUME_SOURCE = 2;
    static final Fields ALL = Fields.of(NAME, "name").inline(VOLUME_SOURCE, PodSource.ALL);
  }

  private static final class ClaimSource {
    static final int CLAIM_NAME = 1;
    static final Fields ALL = Fields.of(CLAIM_NAME, "claimName");
  }

  private static final class ContainerStatus {
    static final int STATE = 2;
    static final Fields ALL = Fields.of(STATE, "state");
  }

  private static final class ContainerState {
    static final int WAITING = 1;
    static final int RUNNING = 2;
    static final int TERMINATED = 3;
    static final Fields ALL =
        Fields.of(WAITING, "waiting").and(RUNNING, "running").and(TERMINATED, "terminated");
  }

  private static final class NodeDraft extends ObjectDraft {
    static final MessageFields<NodeDraft> SPEC =
        MessageFields.of(NodeDraft::new)
            .with(5, "taints", (d, in) -> d.taints.add(TaintDraft.MESSAGE.read(in).toText()));

    static final MessageFields<NodeDraft> STATUS =
        MessageFields.of(NodeDraft::new)
            .with(4, "conditions", (d, in) -> d.add(ConditionDraft.MESSAGE.read(in)))
            .with(9, "volumesInUse", (d, in) -> d.volumesInUse.add(in.readText()))
            .with(10, "volumesAttached", (d, in) -> d.add(AttachedVolumeDraft.MESSAGE.read(in)));

    static final MessageFields<NodeDraft> MESSAGE =
        MessageFields.ofObject(NodeDraft::new, RetainedFields.OF_NODE)
            .with(2, "spec", SPEC::readInto)
            .with(3, "status", STATUS::readInto);

    final List<String> taints = new ArrayList<>();
    @Nullable String readyStatus;
    final List<String> volumesInUse = new ArrayList<>();
    final Map<String, String> attachedVolumes = new HashMap<>();

    private void add(ConditionDraft condition) {
      if (condition.type.equals("Ready")) {
        readyStatus = condition.status;
      }
    }

    private void add(AttachedVolumeDraft volume) {
      attachedVolumes.put(volume.name, volume.path);
    }
  }

  private static final class TaintDraft {
    static final MessageFields<TaintDraft> MESSAGE =
        MessageFields.of(TaintDraft::new)
            .with(1, "key", (d, in) -> d.key = in.readSharedText())
            .with(2, "value", (d, in) -> d.value = in.readSharedText())
            .with(3, "effect", (d, in) -> d.effect = in.readSharedText());

    String key = "";
    String value = "";
    String effect = "";

    String toText() {
      return key + "=" + value + ":" + effect;
    }
  }

  private static final class ConditionDraft {
    static final MessageFields<ConditionDraft> MESSAGE =
        MessageFields.of(ConditionDraft::new)
            .with(1, "type", (d, in) -> d.type = in.readSharedText())
            .with(2, "status", (d, in) -> d.status = in.readSharedText());

    String type = "";
    String status = "";
  }

  private static final class AttachedVolumeDraft {
    static final MessageFields<AttachedVolumeDraft> MESSAGE =
        MessageFields.of(AttachedVolumeDraft::new)
            .with(1, "name", (d, in) -> d.name = in.readText())
            .with(2, "devicePath", (d, in) -> d.path = in.readText());

    String name = "";
    String path = "";
  }

  private WorkloadKinds() {}

  static Pod decodePod(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String node = "";
    List<String> claims = new ArrayList<>(2);
    List<String> ephemeral = new ArrayList<>(0);
    List<Pod.Inline> inline = new ArrayList<>(0);
    Pod.Phase phase = Pod.Phase.UNSET;
    boolean areContainersStopped = true;
    boolean[] isShutDown = new boolean[1];
    for (int field = in.next(PodFields.ALL); field != 0; field = in.next(PodFields.ALL)) {
      switch (field) {
        case PodFields.METADATA -> meta = MetaDecoder.decodeSlim(in, isShutDown);
        case PodFields.SPEC -> {
          for (int f = in.open(PodSpec.ALL); f != 0; f = in.next(PodSpec.ALL)) {
            switch (f) {
              case PodSpec.VOLUMES -> readVolume(in, claims, ephemeral, inline);
              case PodSpec.NODE_NAME -> node = in.readSharedText();
              default -> in.skip();
            }
          }
        }
        case PodFields.STATUS -> {
          for (int f = in.open(PodStatus.ALL); f != 0; f = in.next(PodStatus.ALL)) {
            switch (f) {
              case PodStatus.PHASE -> phase = Pod.Phase.of(in.readSharedText());
              case PodStatus.CONTAINER_STATUSES,
                  PodStatus.INIT_CONTAINER_STATUSES,
                  PodStatus.EPHEMERAL_CONTAINER_STATUSES ->
                  areContainersStopped &= !isRunning(in);
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    for (String name : ephemeral) {
      claims.add(meta.name() + "-" + name);
    }
    return new Pod(
        meta,
        node,
        WireReader.freeze(claims),
        WireReader.freeze(ephemeral),
        WireReader.freeze(inline),
        phase,
        areContainersStopped,
        isShutDown[0]);
  }

  private static void readVolume(
      WireReader in, List<String> claims, List<String> ephemeral, List<Pod.Inline> inline)
      throws IOException {
    String name = "";
    VolumeSource source = VolumeSource.NONE;
    boolean isEphemeral = false;
    for (int field = in.open(VolumeFields.ALL); field != 0; field = in.next(VolumeFields.ALL)) {
      switch (field) {
        case VolumeFields.NAME -> name = in.readSharedText();
        case VolumeFields.VOLUME_SOURCE -> {
          for (int f = in.open(PodSource.ALL); f != 0; f = in.next(PodSource.ALL)) {
            switch (f) {
              case PodSource.PERSISTENT_VOLUME_CLAIM ->
                  claims.add(in.readSingleField(ClaimSource.ALL, ClaimSource.CLAIM_NAME));
              case PodSource.EPHEMERAL -> {
                isEphemeral = true;
                in.skip();
              }
              default -> source = VolumeSourceDecoder.decodeOfPod(in, f);
            }
          }
        }
        default -> in.skip();
      }
    }
    if (isEphemeral) {
      ephemeral.add(name);
    } else if (!source.type().isEmpty()) {
      inline.add(new Pod.Inline(name, source));
    }
  }

  // Returns whether a container may run: like Kubernetes, counts an empty state as running.
  private static boolean isRunning(WireReader in) throws IOException {
    boolean isStopped = false;
    for (int field = in.open(ContainerStatus.ALL);
        field != 0;
        field = in.next(ContainerStatus.ALL)) {
      if (field == ContainerStatus.STATE) {
        for (int f = in.open(ContainerState.ALL); f != 0; f = in.next(ContainerState.ALL)) {
          isStopped |= f == ContainerState.WAITING || f == ContainerState.TERMINATED;
          in.skip();
        }
      } else {
        in.skip();
      }
    }
    return !isStopped;
  }

  static Node decodeNode(WireReader in) throws IOException {
    NodeDraft draft = NodeDraft.MESSAGE.readOpen(in);
    return new Node(
        draft.meta,
        WireReader.freeze(draft.taints),
        draft.readyStatus,
        WireReader.freeze(draft.volumesInUse),
        WireReader.freeze(draft.attachedVolumes));
  }
}
