package dev.mooring.wire;

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
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

final class VolumeKinds {
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  private static final class SpecDraft {
    static final MessageFields<SpecDraft> SOURCE =
        VolumeSourceDecoder.addTypes(
            MessageFields.of(SpecDraft::new),
            VolumeSourceDecoder.OF_VOLUME,
            (d, source) -> d.source = source);

    static final MessageFields<SpecDraft> MESSAGE =
        MessageFields.of(SpecDraft::new)
            .with(1, "capacity", (d, in) -> in.readQuantities(d.capacity))
            .withInline(2, SOURCE)
            .with(3, "accessModes", (d, in) -> d.modes.add(in.readSharedText()))
            .with(4, "claimRef", (d, in) -> d.claimRef = readReference(in, ClaimRef::new))
            .with(
                5,
                "persistentVolumeReclaimPolicy",
                (d, in) -> d.policy = ReclaimPolicy.of(in.readSharedText()))
            .with(6, "storageClassName", (d, in) -> d.className = in.readSharedText())
            .with(8, "volumeMode", (d, in) -> d.mode = VolumeMode.of(in.readSharedText()))
            .with(9, "nodeAffinity", (d, in) -> d.affinity = AffinityDecoder.decode(in))
            .with(
                10,
                "volumeAttributesClassName",
                (d, in) -> d.attributesClass = in.readSharedText());

    final Map<String, Quantity> capacity = new HashMap<>();
    final List<String> modes = new ArrayList<>();
    VolumeSource source = VolumeSource.NONE;
    @Nullable ClaimRef claimRef;
    ReclaimPolicy policy = ReclaimPolicy.RETAIN;
    String className = "";
    VolumeMode mode = VolumeMode.FILESYSTEM;
    String attributesClass = "";
    NodeAffinity affinity = NodeAffinity.NONE;
  }

  private static final class VolumeDraft extends ObjectDraft {
    static final MessageFields<VolumeDraft> STATUS =
        MessageFields.of(VolumeDraft::new)
            .with(1, "phase", (d, in) -> d.phase = VolumePhase.of(in.readSharedText()))
            .with(2, "message", (d, in) -> d.message = in.readText())
            .with(3, "reason", (d, in) -> d.reason = in.readText());

    static final MessageFields<VolumeDraft> MESSAGE =
        MessageFields.ofObject(VolumeDraft::new, RetainedFields.OF_VOLUME)
            .with(2, "spec", (d, in) -> SpecDraft.MESSAGE.readInto(d.spec, in))
            .with(3, "status", STATUS::readInto);

    final SpecDraft spec = new SpecDraft();
    VolumePhase phase = VolumePhase.UNSET;
    String message = "";
    String reason = "";
  }

  private static final class ReferenceDraft {
    static final MessageFields<ReferenceDraft> MESSAGE =
        MessageFields.of(ReferenceDraft::new)
            .with(2, "namespace", (d, in) -> d.namespace = in.readSharedText())
            .with(3, "name", (d, in) -> d.name = in.readText())
            .with(4, "uid", (d, in) -> d.uid = Uid.of(in.readText()));

    String namespace = "";
    String name = "";
    Uid uid = Uid.NONE;
  }

  private static final class DataSourceDraft {
    static final MessageFields<DataSourceDraft> MESSAGE =
        MessageFields.of(DataSourceDraft::new)
            .with(1, "apiGroup", (d, in) -> d.group = in.readSharedText())
            .with(2, "kind", (d, in) -> d.kind = in.readSharedText())
            .with(3, "name", (d, in) -> d.name = in.readText())
            .with(4, "namespace", (d, in) -> d.namespace = in.readSharedText());

    String group = "";
    String kind = "";
    String name = "";
    String namespace = "";

    DataSourceRef toReference() {
      return new DataSourceRef(group, kind, namespace, name);
    }
  }

  private static final class ClaimDraft extends ObjectDraft {
    static final MessageFields<ClaimDraft> RESOURCES =
        MessageFields.of(ClaimDraft::new)
            .with(2, "requests", (d, in) -> in.readQuantities(d.requests));

    static final MessageFields<ClaimDraft> SPEC =
        MessageFields.of(ClaimDraft::new)
            .with(1, "accessModes", (d, in) -> d.modes.add(in.readSharedText()))
            .with(2, "resources", RESOURCES::readInto)
            .with(3, "volumeName", (d, in) -> d.volumeName = in.readText())
            .with(4, "selector", (d, in) -> d.selector = readSelector(in))
            .with(5, "storageClassName", (d, in) -> d.className = in.readSharedText())
            .with(6, "volumeMode", (d, in) -> d.mode = VolumeMode.of(in.readSharedText()))
            .with(
                7,
                "dataSource",
                (d, in) -> {
                  d.hasDataSource = true;
                  in.skip();
                })
            .with(
                8,
                "dataSourceRef",
                (d, in) -> {
                  d.hasDataSource = true;
                  d.dataSourceRef = DataSourceDraft.MESSAGE.read(in).toReference();
                })
            .with(
                9, "volumeAttributesClassName", (d, in) -> d.attributesClass = in.readSharedText());

    static final MessageFields<ClaimDraft> MESSAGE =
        MessageFields.ofObject(ClaimDraft::new, RetainedFields.OF_CLAIM)
            .with(2, "spec", SPEC::readInto)
            .with(3, "status", (d, in) -> d.status = ClaimStatusDecoder.decode(in));

    final List<String> modes = new ArrayList<>();
    final Map<String, Quantity> requests = new HashMap<>();
    @Nullable String className;
    String volumeName = "";
    VolumeMode mode = VolumeMode.FILESYSTEM;
    @Nullable LabelSelector selector;
    String attributesClass = "";
    boolean hasDataSource;
    @Nullable DataSourceRef dataSourceRef;
    Claim.Status status = new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), "");
  }

  private static final class RequirementDraft {
    static final MessageFields<RequirementDraft> MESSAGE =
        MessageFields.of(RequirementDraft::new)
            .with(1, "key", (d, in) -> d.key = in.readText())
            .with(2, "operator", (d, in) -> d.operator = in.readSharedText())
            .with(3, "values", (d, in) -> d.values.add(in.readText()));

    String key = "";
    String operator = "";
    final List<String> values = new ArrayList<>();
  }

  private static final class SelectorDraft {
    static final MessageFields<SelectorDraft> MESSAGE =
        MessageFields.of(SelectorDraft::new)
            .with(1, "matchLabels", (d, in) -> in.readStrings(d.labels))
            .with(2, "matchExpressions", (d, in) -> d.expressions.add(readRequirement(in)));

    final Map<String, String> labels = new HashMap<>();
    final List<LabelSelector.Requirement> expressions = new ArrayList<>();
  }

  private VolumeKinds() {}

  static Volume decodeVolume(WireReader in) throws IOException {
    VolumeDraft draft = VolumeDraft.MESSAGE.readOpen(in);
    SpecDraft spec = draft.spec;
    return new Volume(
        draft.meta,
        WireReader.freeze(spec.capacity),
        spec.source,
        AccessModes.of(spec.modes),
        spec.claimRef,
        spec.policy,
        draft.meta.annotations().getOrDefault(CLASS_ANNOTATION, spec.className),
        spec.mode,
        spec.attributesClass,
        new Volume.Status(draft.phase, draft.message, draft.reason),
        spec.affinity);
  }

  static Attachment.InlineVolume readInlineVolume(WireReader in) throws IOException {
    SpecDraft spec = SpecDraft.MESSAGE.read(in);
    return new Attachment.InlineVolume(spec.source, AccessModes.of(spec.modes));
  }

  static <R> R readReference(WireReader in, BiFunction<ObjectKey, Uid, R> constructor)
      throws IOException {
    ReferenceDraft draft = ReferenceDraft.MESSAGE.read(in);
    return constructor.apply(new ObjectKey(draft.namespace, draft.name), draft.uid);
  }

  static Claim decodeClaim(WireReader in) throws IOException {
    ClaimDraft draft = ClaimDraft.MESSAGE.readOpen(in);
    Meta meta = draft.meta;
    return new Claim(
        meta,
        AccessModes.of(draft.modes),
        draft.requests.getOrDefault("storage", Quantity.ZERO),
        meta.hasAnnotation(CLASS_ANNOTATION) ? meta.annotation(CLASS_ANNOTATION) : draft.className,
        draft.volumeName,
        draft.mode,
        draft.selector,
        draft.attributesClass,
        draft.hasDataSource,
        draft.dataSourceRef,
        draft.status);
  }

  static LabelSelector readSelector(WireReader in) throws IOException {
    SelectorDraft draft = SelectorDraft.MESSAGE.read(in);
    return new LabelSelector(WireReader.freeze(draft.labels), List.copyOf(draft.expressions));
  }

  static LabelSelector.Requirement readRequirement(WireReader in) throws IOException {
    RequirementDraft draft = RequirementDraft.MESSAGE.read(in);
    return new LabelSelector.Requirement(
        draft.key, draft.operator, WireReader.freeze(draft.values));
  }
}
