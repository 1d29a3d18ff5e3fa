package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.DataSourceRef;
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

final class VolumeKinds {
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  private static final class VolumeSpec {
    static final int CAPACITY = 1;
    static final int PERSISTENT_VOLUME_SOURCE = 2;
    static final int ACCESS_MODES = 3;
    static final int CLAIM_REF = 4;
    static final int PERSISTENT_VOLUME_RECLAIM_POLICY = 5;
    static final int STORAGE_CLASS_NAME = 6;
    static final int VOLUME_MODE = 8;
    static final int NODE_AFFINITY = 9;
    static final int VOLUME_ATTRIBUTES_CLASS_NAME = 10;
    static final Fields ALL =
        Fields.of(CAPACITY, "capacity")
            .and(ACCESS_MODES, "accessModes")
            .and(CLAIM_REF, "claimRef")
            .and(PERSISTENT_VOLUME_RECLAIM_POLICY, "persistentVolumeReclaimPolicy")
            .and(STORAGE_CLASS_NAME, "storageClassName")
            .and(VOLUME_MODE, "volumeMode")
            .and(NODE_AFFINITY, "nodeAffinity")
            .and(VOLUME_ATTRIBUTES_CLASS_NAME, "volumeAttributesClassName")
            .inline(PERSISTENT_VOLUME_SOURCE, VolumeSourceDecoder.OF_VOLUME);
  }

  private static final class VolumeStatus {
    static final int PHASE = 1;
    static final int MESSAGE = 2;
    static final int REASON = 3;
    static final Fields ALL =
        Fields.of(PHASE, "phase").and(MESSAGE, "message").and(REASON, "reason");
  }

  private static final class Reference {
    static final int NAMESPACE = 2;
    static final int NAME = 3;
    static final int UID = 4;
    static final Fields ALL = Fields.of(NAMESPACE, "namespace").and(NAME, "name").and(UID, "uid");
  }

  private static final class ClaimSpec {
    static final int ACCESS_MODES = 1;
    static final int RESOURCES = 2;
    static final int VOLUME_NAME = 3;
    static final int SELECTOR = 4;
    static final int STORAGE_CLASS_NAME = 5;
    static final int VOLUME_MODE = 6;
    static final int DATA_SOURCE = 7;
    static final int DATA_SOURCE_REF = 8;
    static final int VOLUME_ATTRIBUTES_CLASS_NAME = 9;
    static final Fields ALL =
        Fields.of(ACCESS_MODES, "accessModes")
            .and(RESOURCES, "resources")
            .and(VOLUME_NAME, "volumeName")
            .and(SELECTOR, "selector")
            .and(STORAGE_CLASS_NAME, "storageClassName")
            .and(VOLUME_MODE, "volumeMode")
            .and(DATA_SOURCE, "dataSource")
            .and(DATA_SOURCE_REF, "dataSourceRef")
            .and(VOLUME_ATTRIBUTES_CLASS_NAME, "volumeAttributesClassName");
  }

  private static final class TypedReference {
    static final int API_GROUP = 1;
    static final int KIND = 2;
    static final int NAME = 3;
    static final int NAMESPACE = 4;
    static final Fields ALL =
        Fields.of(API_GROUP, "apiGroup")
            .and(KIND, "kind")
            .and(NAME, "name")
            .and(NAMESPACE, "namespace");
  }

  private static final class ClaimResources {
    static final int REQUESTS = 2;
    static final Fields ALL = Fields.of(REQUESTS, "requests");
  }

  private static final class SelectorFields {
    static final int MATCH_LABELS = 1;
    static final int MATCH_EXPRESSIONS = 2;
    static final Fields ALL =
        Fields.of(MATCH_LABELS, "matchLabels").and(MATCH_EXPRESSIONS, "matchExpressions");
  }

  private static final class Expression {
    static final int KEY = 1;
    static final int OPERATOR = 2;
    static final int VALUES = 3;
    static final Fields ALL = Fields.of(KEY, "key").and(OPERATOR, "operator").and(VALUES, "values");
  }

  private VolumeKinds() {}

  static Volume decodeVolume(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    VolumeDraft spec = new VolumeDraft();
    VolumePhase phase = VolumePhase.UNSET;
    String message = "";
    String reason = "";
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_VOLUME);
        case KubeObject.SPEC -> spec.read(in);
        case KubeObject.STATUS -> {
          for (int f = in.open(VolumeStatus.ALL); f != 0; f = in.next(VolumeStatus.ALL)) {
            switch (f) {
              case VolumeStatus.PHASE -> phase = VolumePhase.of(in.readSharedText());
              case VolumeStatus.MESSAGE -> message = in.readText();
              case VolumeStatus.REASON -> reason = in.readText();
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
        WireReader.freeze(spec.capacity),
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

  static Attachment.InlineVolume readInlineVolume(WireReader in) throws IOException {
    VolumeDraft spec = new VolumeDraft();
    spec.read(in);
    return new Attachment.InlineVolume(spec.source, AccessModes.of(spec.modes));
  }

  private static final class VolumeDraft {
    private final Map<String, Quantity> capacity = new HashMap<>();
    private final List<String> modes = new ArrayList<>();
    private VolumeSource source = VolumeSource.NONE;
    private @Nullable ClaimRef claimRef;
    private ReclaimPolicy policy = ReclaimPolicy.RETAIN;
    private String className = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private String attributesClass = "";
    private NodeAffinity affinity = NodeAffinity.NONE;

    void read(WireReader in) throws IOException {
      for (int field = in.open(VolumeSpec.ALL); field != 0; field = in.next(VolumeSpec.ALL)) {
        switch (field) {
          case VolumeSpec.CAPACITY -> in.readQuantities(capacity);
          case VolumeSpec.PERSISTENT_VOLUME_SOURCE -> {
            for (int f = in.open(VolumeSourceDecoder.OF_VOLUME);
                f != 0;
                f = in.next(VolumeSourceDecoder.OF_VOLUME)) {
              source = VolumeSourceDecoder.decode(in, VolumeSourceDecoder.OF_VOLUME.getName(f));
            }
          }
          case VolumeSpec.ACCESS_MODES -> modes.add(in.readSharedText());
          case VolumeSpec.CLAIM_REF -> claimRef = readReference(in, ClaimRef::new);
          case VolumeSpec.PERSISTENT_VOLUME_RECLAIM_POLICY ->
              policy = ReclaimPolicy.of(in.readSharedText());
          case VolumeSpec.STORAGE_CLASS_NAME -> className = in.readSharedText();
          case VolumeSpec.VOLUME_MODE -> mode = VolumeMode.of(in.readSharedText());
          case VolumeSpec.NODE_AFFINITY -> affinity = AffinityDecoder.decode(in);
          case VolumeSpec.VOLUME_ATTRIBUTES_CLASS_NAME -> attributesClass = in.readSharedText();
          default -> in.skip();
        }
      }
    }
  }

  static <R> R readReference(WireReader in, BiFunction<ObjectKey, Uid, R> constructor)
      throws IOException {
    String namespace = "";
    String name = "";
    Uid uid = Uid.NONE;
    for (int field = in.open(Reference.ALL); field != 0; field = in.next(Reference.ALL)) {
      switch (field) {
        case Reference.NAMESPACE -> namespace = in.readSharedText();
        case Reference.NAME -> name = in.readText();
        case Reference.UID -> uid = Uid.of(in.readText());
        default -> in.skip();
      }
    }
    return constructor.apply(new ObjectKey(namespace, name), uid);
  }

  static Claim decodeClaim(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    ClaimDraft spec = new ClaimDraft();
    Claim.Status status = new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), "");
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_CLAIM);
        case KubeObject.SPEC -> spec.read(in);
        case KubeObject.STATUS -> status = ClaimStatusDecoder.decode(in);
        default -> in.skip();
      }
    }
    String className =
        meta.hasAnnotation(CLASS_ANNOTATION) ? meta.annotation(CLASS_ANNOTATION) : spec.className;
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
        spec.dataSourceRef,
        status);
  }

  private static final class ClaimDraft {
    private final List<String> modes = new ArrayList<>();
    private final Map<String, Quantity> requests = new HashMap<>();
    private @Nullable String className;
    private String volumeName = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private @Nullable LabelSelector selector;
    private String attributesClass = "";
    private boolean hasDataSource;
    private @Nullable DataSourceRef dataSourceRef;

    void read(WireReader in) throws IOException {
      for (int field = in.open(ClaimSpec.ALL); field != 0; field = in.next(ClaimSpec.ALL)) {
        switch (field) {
          case ClaimSpec.ACCESS_MODES -> modes.add(in.readSharedText());
          case ClaimSpec.RESOURCES -> {
            for (int f = in.open(ClaimResources.ALL); f != 0; f = in.next(ClaimResources.ALL)) {
              if (f == ClaimResources.REQUESTS) {
                in.readQuantities(requests);
              } else {
                in.skip();
              }
            }
          }
          case ClaimSpec.VOLUME_NAME -> volumeName = in.readText();
          case ClaimSpec.SELECTOR -> selector = readSelector(in);
          case ClaimSpec.STORAGE_CLASS_NAME -> className = in.readSharedText();
          case ClaimSpec.VOLUME_MODE -> mode = VolumeMode.of(in.readSharedText());
          case ClaimSpec.DATA_SOURCE -> {
            hasDataSource = true;
            in.skip();
          }
          case ClaimSpec.DATA_SOURCE_REF -> {
            hasDataSource = true;
            dataSourceRef = readDataSource(in);
          }
          case ClaimSpec.VOLUME_ATTRIBUTES_CLASS_NAME -> attributesClass = in.readSharedText();
          default -> in.skip();
        }
      }
    }
  }

  private static DataSourceRef readDataSource(WireReader in) throws IOException {
    String group = "";
    String kind = "";
    String name = "";
    String namespace = "";
    for (int field = in.open(TypedReference.ALL); field != 0; field = in.next(TypedReference.ALL)) {
      switch (field) {
        case TypedReference.API_GROUP -> group = in.readSharedText();
        case TypedReference.KIND -> kind = in.readSharedText();
        case TypedReference.NAME -> name = in.readText();
        case TypedReference.NAMESPACE -> namespace = in.readSharedText();
        default -> in.skip();
      }
    }
    return new DataSourceRef(group, kind, namespace, name);
  }

  static LabelSelector readSelector(WireReader in) throws IOException {
    Map<String, String> labels = new HashMap<>();
    List<LabelSelector.Requirement> expressions = new ArrayList<>();
    for (int field = in.open(SelectorFields.ALL); field != 0; field = in.next(SelectorFields.ALL)) {
      switch (field) {
        case SelectorFields.MATCH_LABELS -> in.readStrings(labels);
        case SelectorFields.MATCH_EXPRESSIONS -> expressions.add(readRequirement(in));
        default -> in.skip();
      }
    }
    return new LabelSelector(WireReader.freeze(labels), List.copyOf(expressions));
  }

  static LabelSelector.Requirement readRequirement(WireReader in) throws IOException {
    String key = "";
    String operator = "";
    List<String> values = new ArrayList<>();
    for (int field = in.open(Expression.ALL); field != 0; field = in.next(Expression.ALL)) {
      switch (field) {
        case Expression.KEY -> key = in.readText();
        case Expression.OPERATOR -> operator = in.readSharedText();
        case Expression.VALUES -> values.add(in.readText());
        default -> in.skip();
      }
    }
    return new LabelSelector.Requirement(key, operator, WireReader.freeze(values));
  }
}
