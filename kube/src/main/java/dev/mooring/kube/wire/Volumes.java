package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** PersistentVolumes and PersistentVolumeClaims. */
final class Volumes {
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final Fields OBJECT = Fields.of(1, "metadata").and(2, "spec").and(3, "status");
  private static final Fields VOLUME_SPEC =
      Fields.of(1, "capacity")
          .and(3, "accessModes")
          .and(4, "claimRef")
          .and(5, "persistentVolumeReclaimPolicy")
          .and(6, "storageClassName")
          .and(8, "volumeMode")
          .and(9, "nodeAffinity")
          .and(10, "volumeAttributesClassName")
          .inline(2, Sources.OF_VOLUME);
  private static final Fields VOLUME_STATUS =
      Fields.of(1, "phase").and(2, "message").and(3, "reason");
  private static final Fields REFERENCE = Fields.of(2, "namespace").and(3, "name").and(4, "uid");
  private static final Fields CLAIM_SPEC =
      Fields.of(1, "accessModes")
          .and(2, "resources")
          .and(3, "volumeName")
          .and(4, "selector")
          .and(5, "storageClassName")
          .and(6, "volumeMode")
          .and(7, "dataSource")
          .and(8, "dataSourceRef")
          .and(9, "volumeAttributesClassName");
  private static final Fields RESOURCES = Fields.of(2, "requests");
  private static final Fields SELECTOR = Fields.of(1, "matchLabels").and(2, "matchExpressions");
  private static final Fields REQUIREMENT = Fields.of(1, "key").and(2, "operator").and(3, "values");

  private Volumes() {}

  static Volume volume(Wire in) throws IOException {
    Meta meta = Metas.none();
    VolumeSpec spec = new VolumeSpec();
    VolumePhase phase = VolumePhase.UNSET;
    String message = "";
    String reason = "";
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_VOLUME);
        case 2 -> spec.read(in);
        case 3 -> {
          for (int f = in.open(VOLUME_STATUS); f != 0; f = in.next(VOLUME_STATUS)) {
            switch (f) {
              case 1 -> phase = VolumePhase.of(in.shared());
              case 2 -> message = in.text();
              case 3 -> reason = in.text();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    String className = meta.annotations().getOrDefault(CLASS_ANNOTATION, spec.className);
    return new Volume(
        meta,
        Wire.frozen(spec.capacity),
        spec.source,
        AccessModes.of(spec.modes),
        spec.claimRef,
        spec.policy,
        className,
        spec.mode,
        spec.attributesClass,
        new Volume.Status(phase, message, reason),
        spec.affinity);
  }

  private static final class VolumeSpec {
    private final Map<String, Quantity> capacity = new HashMap<>();
    private final List<String> modes = new ArrayList<>();
    private VolumeSource source = VolumeSource.NONE;
    private @Nullable ClaimRef claimRef;
    private ReclaimPolicy policy = ReclaimPolicy.RETAIN;
    private String className = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private String attributesClass = "";
    private NodeAffinity affinity = NodeAffinity.NONE;

    void read(Wire in) throws IOException {
      for (int field = in.open(VOLUME_SPEC); field != 0; field = in.next(VOLUME_SPEC)) {
        switch (field) {
          case 1 -> in.quantities(capacity);
          case 2 -> {
            for (int f = in.open(Sources.OF_VOLUME); f != 0; f = in.next(Sources.OF_VOLUME)) {
              source = Sources.read(in, Sources.OF_VOLUME.name(f));
            }
          }
          case 3 -> modes.add(in.shared());
          case 4 -> claimRef = reference(in, ClaimRef::new);
          case 5 -> policy = ReclaimPolicy.of(in.shared());
          case 6 -> className = in.shared();
          case 8 -> mode = VolumeMode.of(in.shared());
          case 9 -> affinity = Affinities.read(in);
          case 10 -> attributesClass = in.shared();
          default -> in.skip();
        }
      }
    }
  }

  /** Whom somebody is meant for, by name and uid. */
  static <R> R reference(Wire in, BiFunction<ObjectKey, Uid, R> made) throws IOException {
    String namespace = "";
    String name = "";
    Uid uid = Uid.NONE;
    for (int field = in.open(REFERENCE); field != 0; field = in.next(REFERENCE)) {
      switch (field) {
        case 2 -> namespace = in.shared();
        case 3 -> name = in.text();
        case 4 -> uid = Uid.of(in.text());
        default -> in.skip();
      }
    }
    return made.apply(new ObjectKey(namespace, name), uid);
  }

  static Claim claim(Wire in) throws IOException {
    Meta meta = Metas.none();
    ClaimSpec spec = new ClaimSpec();
    Claim.Status status = new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), "");
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_CLAIM);
        case 2 -> spec.read(in);
        case 3 -> status = ClaimStatuses.read(in);
        default -> in.skip();
      }
    }
    String className =
        meta.has(CLASS_ANNOTATION) ? meta.annotation(CLASS_ANNOTATION) : spec.className;
    return new Claim(
        meta,
        AccessModes.of(spec.modes),
        spec.requests.getOrDefault("storage", Quantity.ZERO),
        className,
        spec.volumeName,
        spec.mode,
        spec.selector,
        spec.attributesClass,
        spec.hasDataSource,
        status);
  }

  private static final class ClaimSpec {
    private final List<String> modes = new ArrayList<>();
    private final Map<String, Quantity> requests = new HashMap<>();
    private @Nullable String className;
    private String volumeName = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private @Nullable LabelSelector selector;
    private String attributesClass = "";
    private boolean hasDataSource;

    void read(Wire in) throws IOException {
      for (int field = in.open(CLAIM_SPEC); field != 0; field = in.next(CLAIM_SPEC)) {
        switch (field) {
          case 1 -> modes.add(in.shared());
          case 2 -> {
            for (int f = in.open(RESOURCES); f != 0; f = in.next(RESOURCES)) {
              if (f == 2) {
                in.quantities(requests);
              } else {
                in.skip();
              }
            }
          }
          case 3 -> volumeName = in.text();
          case 4 -> selector = selector(in);
          case 5 -> className = in.shared();
          case 6 -> mode = VolumeMode.of(in.shared());
          case 7, 8 -> {
            hasDataSource = true;
            in.skip();
          }
          case 9 -> attributesClass = in.shared();
          default -> in.skip();
        }
      }
    }
  }

  static LabelSelector selector(Wire in) throws IOException {
    Map<String, String> labels = new HashMap<>();
    List<LabelSelector.Requirement> expressions = new ArrayList<>();
    for (int field = in.open(SELECTOR); field != 0; field = in.next(SELECTOR)) {
      switch (field) {
        case 1 -> in.strings(labels);
        case 2 -> expressions.add(requirement(in));
        default -> in.skip();
      }
    }
    return new LabelSelector(Wire.frozen(labels), List.copyOf(expressions));
  }

  static LabelSelector.Requirement requirement(Wire in) throws IOException {
    String key = "";
    String operator = "";
    List<String> values = new ArrayList<>();
    for (int field = in.open(REQUIREMENT); field != 0; field = in.next(REQUIREMENT)) {
      switch (field) {
        case 1 -> key = in.text();
        case 2 -> operator = in.shared();
        case 3 -> values.add(in.text());
        default -> in.skip();
      }
    }
    return new LabelSelector.Requirement(key, operator, Wire.frozen(values));
  }
}
