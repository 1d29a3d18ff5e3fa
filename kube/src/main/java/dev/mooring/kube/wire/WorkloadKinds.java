package dev.mooring.kube.wire;

import dev.mooring.kube.wire.PodMessages.ClaimSource;
import dev.mooring.kube.wire.PodMessages.PodSource;
import dev.mooring.kube.wire.PodMessages.PodSpec;
import dev.mooring.kube.wire.PodMessages.PodStatus;
import dev.mooring.kube.wire.PodMessages.VolumeFields;
import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class WorkloadKinds {
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

  private static final class NodeSpec {
    static final int TAINTS = 5;
    static final Fields ALL = Fields.of(TAINTS, "taints");
  }

  private static final class Taint {
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int EFFECT = 3;
    static final Fields ALL = Fields.of(KEY, "key").and(VALUE, "value").and(EFFECT, "effect");
  }

  private static final class NodeStatus {
    static final int CONDITIONS = 4;
    static final int VOLUMES_IN_USE = 9;
    static final int VOLUMES_ATTACHED = 10;
    static final Fields ALL =
        Fields.of(CONDITIONS, "conditions")
            .and(VOLUMES_IN_USE, "volumesInUse")
            .and(VOLUMES_ATTACHED, "volumesAttached");
  }

  private static final class NodeCondition {
    static final int TYPE = 1;
    static final int STATUS = 2;
    static final Fields ALL = Fields.of(TYPE, "type").and(STATUS, "status");
  }

  private static final class AttachedVolume {
    static final int NAME = 1;
    static final int DEVICE_PATH = 2;
    static final Fields ALL = Fields.of(NAME, "name").and(DEVICE_PATH, "devicePath");
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
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decodeSlim(in, isShutDown);
        case KubeObject.SPEC -> {
          for (int f = in.open(PodSpec.ALL); f != 0; f = in.next(PodSpec.ALL)) {
            switch (f) {
              case PodSpec.VOLUMES -> readVolume(in, claims, ephemeral, inline);
              case PodSpec.NODE_NAME -> node = in.readSharedText();
              default -> in.skip();
            }
          }
        }
        case KubeObject.STATUS -> {
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
        inline.isEmpty() ? List.of() : List.copyOf(inline),
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
              default ->
                  source = VolumeSourceDecoder.decode(in, VolumeSourceDecoder.OF_POD.getName(f));
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
    Meta meta = MetaDecoder.getEmpty();
    List<String> taints = new ArrayList<>();
    String[] readyStatus = new String[1];
    List<String> volumesInUse = new ArrayList<>();
    Map<String, String> attachedVolumes = new HashMap<>();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_NODE);
        case KubeObject.SPEC -> {
          for (int f = in.open(NodeSpec.ALL); f != 0; f = in.next(NodeSpec.ALL)) {
            if (f == NodeSpec.TAINTS) {
              taints.add(readTaint(in));
            } else {
              in.skip();
            }
          }
        }
        case KubeObject.STATUS -> {
          for (int f = in.open(NodeStatus.ALL); f != 0; f = in.next(NodeStatus.ALL)) {
            switch (f) {
              case NodeStatus.CONDITIONS -> readCondition(in, readyStatus);
              case NodeStatus.VOLUMES_IN_USE -> volumesInUse.add(in.readText());
              case NodeStatus.VOLUMES_ATTACHED -> readAttachedVolume(in, attachedVolumes);
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Node(
        meta,
        WireReader.freeze(taints),
        readyStatus[0],
        WireReader.freeze(volumesInUse),
        WireReader.freeze(attachedVolumes));
  }

  private static String readTaint(WireReader in) throws IOException {
    String key = "";
    String value = "";
    String effect = "";
    for (int field = in.open(Taint.ALL); field != 0; field = in.next(Taint.ALL)) {
      switch (field) {
        case Taint.KEY -> key = in.readSharedText();
        case Taint.VALUE -> value = in.readSharedText();
        case Taint.EFFECT -> effect = in.readSharedText();
        default -> in.skip();
      }
    }
    return key + "=" + value + ":" + effect;
  }

  private static void readCondition(WireReader in, @Nullable String[] readyStatus)
      throws IOException {
    String type = "";
    String status = "";
    for (int field = in.open(NodeCondition.ALL); field != 0; field = in.next(NodeCondition.ALL)) {
      switch (field) {
        case NodeCondition.TYPE -> type = in.readSharedText();
        case NodeCondition.STATUS -> status = in.readSharedText();
        default -> in.skip();
      }
    }
    if (type.equals("Ready")) {
      readyStatus[0] = status;
    }
  }

  private static void readAttachedVolume(WireReader in, Map<String, String> target)
      throws IOException {
    String name = "";
    String path = "";
    for (int field = in.open(AttachedVolume.ALL); field != 0; field = in.next(AttachedVolume.ALL)) {
      switch (field) {
        case AttachedVolume.NAME -> name = in.readText();
        case AttachedVolume.DEVICE_PATH -> path = in.readText();
        default -> in.skip();
      }
    }
    target.put(name, path);
  }
}
