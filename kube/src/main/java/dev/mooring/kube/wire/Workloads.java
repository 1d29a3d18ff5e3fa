package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
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

/** Pods and nodes: wide objects of which little is kept. */
final class Workloads {
  private static final Fields OBJECT = Fields.of(1, "metadata").and(2, "spec").and(3, "status");
  private static final Fields POD_SPEC = Fields.of(1, "volumes").and(10, "nodeName");
  private static final Fields VOLUME_SOURCE =
      Fields.of(10, "persistentVolumeClaim").and(29, "ephemeral").and(Sources.OF_POD);
  private static final Fields VOLUME = Fields.of(1, "name").inline(2, VOLUME_SOURCE);
  private static final Fields CLAIM = Fields.of(1, "claimName");
  private static final Fields POD_STATUS =
      Fields.of(1, "phase")
          .and(8, "containerStatuses")
          .and(10, "initContainerStatuses")
          .and(13, "ephemeralContainerStatuses");
  private static final Fields CONTAINER_STATUS = Fields.of(2, "state");
  private static final Fields STATE =
      Fields.of(1, "waiting").and(2, "running").and(3, "terminated");
  private static final Fields NODE_SPEC = Fields.of(5, "taints");
  private static final Fields TAINT = Fields.of(1, "key").and(2, "value").and(3, "effect");
  private static final Fields NODE_STATUS =
      Fields.of(4, "conditions").and(9, "volumesInUse").and(10, "volumesAttached");
  private static final Fields CONDITION = Fields.of(1, "type").and(2, "status");
  private static final Fields ATTACHED = Fields.of(1, "name").and(2, "devicePath");

  private Workloads() {}

  static Pod pod(Wire in) throws IOException {
    Meta meta = Metas.none();
    String node = "";
    List<String> claims = new ArrayList<>(2);
    List<String> ephemeral = new ArrayList<>(0);
    List<Pod.Inline> inline = new ArrayList<>(0);
    Pod.Phase phase = Pod.Phase.UNSET;
    boolean stopped = true;
    boolean[] shutDown = new boolean[1];
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.slim(in, shutDown);
        case 2 -> {
          for (int f = in.open(POD_SPEC); f != 0; f = in.next(POD_SPEC)) {
            switch (f) {
              case 1 -> volume(in, claims, ephemeral, inline);
              case 10 -> node = in.shared();
              default -> in.skip();
            }
          }
        }
        case 3 -> {
          for (int f = in.open(POD_STATUS); f != 0; f = in.next(POD_STATUS)) {
            switch (f) {
              case 1 -> phase = Pod.Phase.of(in.shared());
              case 8, 10, 13 -> stopped &= !isRunning(in);
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
        Wire.frozen(claims),
        Wire.frozen(ephemeral),
        inline.isEmpty() ? List.of() : List.copyOf(inline),
        phase,
        stopped,
        shutDown[0]);
  }

  private static void volume(
      Wire in, List<String> claims, List<String> ephemeral, List<Pod.Inline> inline)
      throws IOException {
    String name = "";
    VolumeSource source = VolumeSource.NONE;
    boolean isEphemeral = false;
    for (int field = in.open(VOLUME); field != 0; field = in.next(VOLUME)) {
      switch (field) {
        case 1 -> name = in.shared();
        case 2 -> {
          for (int f = in.open(VOLUME_SOURCE); f != 0; f = in.next(VOLUME_SOURCE)) {
            switch (f) {
              case 10 -> claims.add(in.only(CLAIM, 1));
              case 29 -> {
                isEphemeral = true;
                in.skip();
              }
              default -> source = Sources.read(in, Sources.OF_POD.name(f));
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

  /** As Kubernetes has it: a state that says nothing may be anything, so it counts as running. */
  private static boolean isRunning(Wire in) throws IOException {
    boolean stopped = false;
    for (int field = in.open(CONTAINER_STATUS); field != 0; field = in.next(CONTAINER_STATUS)) {
      if (field == 2) {
        for (int f = in.open(STATE); f != 0; f = in.next(STATE)) {
          stopped |= f == 1 || f == 3;
          in.skip();
        }
      } else {
        in.skip();
      }
    }
    return !stopped;
  }

  static Node node(Wire in) throws IOException {
    Meta meta = Metas.none();
    List<String> taints = new ArrayList<>();
    String[] ready = new String[1];
    List<String> inUse = new ArrayList<>();
    Map<String, String> attached = new HashMap<>();
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_NODE);
        case 2 -> {
          for (int f = in.open(NODE_SPEC); f != 0; f = in.next(NODE_SPEC)) {
            if (f == 5) {
              taints.add(taint(in));
            } else {
              in.skip();
            }
          }
        }
        case 3 -> {
          for (int f = in.open(NODE_STATUS); f != 0; f = in.next(NODE_STATUS)) {
            switch (f) {
              case 4 -> condition(in, ready);
              case 9 -> inUse.add(in.text());
              case 10 -> attached(in, attached);
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Node(meta, Wire.frozen(taints), ready[0], Wire.frozen(inUse), Wire.frozen(attached));
  }

  private static String taint(Wire in) throws IOException {
    String key = "";
    String value = "";
    String effect = "";
    for (int field = in.open(TAINT); field != 0; field = in.next(TAINT)) {
      switch (field) {
        case 1 -> key = in.shared();
        case 2 -> value = in.shared();
        case 3 -> effect = in.shared();
        default -> in.skip();
      }
    }
    return key + "=" + value + ":" + effect;
  }

  private static void condition(Wire in, @Nullable String[] ready) throws IOException {
    String type = "";
    String status = "";
    for (int field = in.open(CONDITION); field != 0; field = in.next(CONDITION)) {
      switch (field) {
        case 1 -> type = in.shared();
        case 2 -> status = in.shared();
        default -> in.skip();
      }
    }
    if (type.equals("Ready")) {
      ready[0] = status;
    }
  }

  private static void attached(Wire in, Map<String, String> into) throws IOException {
    String name = "";
    String path = "";
    for (int field = in.open(ATTACHED); field != 0; field = in.next(ATTACHED)) {
      switch (field) {
        case 1 -> name = in.text();
        case 2 -> path = in.text();
        default -> in.skip();
      }
    }
    into.put(name, path);
  }
}
