package dev.mooring.wire;

import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Lease;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class StorageKinds {
  private static final class TopologyDraft {
    static final MessageFields<TopologyDraft> LABEL =
        MessageFields.of(TopologyDraft::new)
            .with(1, "key", (d, in) -> d.key = in.readText())
            .with(2, "values", (d, in) -> d.values.add(in.readText()));

    static final MessageFields<Map<String, List<String>>> TERM =
        MessageFields.<Map<String, List<String>>>of(HashMap::new)
            .with(1, "matchLabelExpressions", (term, in) -> LABEL.read(in).addTo(term));

    String key = "";
    final List<String> values = new ArrayList<>();

    void addTo(Map<String, List<String>> term) {
      term.put(key, WireReader.freeze(values));
    }
  }

  private static final class ClassDraft extends ObjectDraft {
    static final MessageFields<ClassDraft> MESSAGE =
        MessageFields.ofObject(ClassDraft::new, RetainedFields.OF_CLASS)
            .with(2, "provisioner", (d, in) -> d.provisioner = in.readSharedText())
            .with(3, "parameters", (d, in) -> in.readStrings(d.parameters))
            .with(4, "reclaimPolicy", (d, in) -> d.policy = ReclaimPolicy.of(in.readSharedText()))
            .with(5, "mountOptions", (d, in) -> d.mountOptions.add(in.readText()))
            .with(6, "allowVolumeExpansion", (d, in) -> d.allowsExpansion = in.readFlag())
            .with(7, "volumeBindingMode", (d, in) -> d.binding = readBinding(in))
            .with(8, "allowedTopologies", (d, in) -> d.topologies.add(readTopology(in)));

    String provisioner = "";
    final Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.DELETE;
    final List<String> mountOptions = new ArrayList<>();
    StorageClass.Binding binding = StorageClass.Binding.UNSET;
    boolean allowsExpansion;
    final List<Map<String, List<String>>> topologies = new ArrayList<>();
  }

  private static final class AttachmentDraft extends ObjectDraft {
    static final MessageFields<AttachmentDraft> SOURCE =
        MessageFields.of(AttachmentDraft::new)
            .with(1, "persistentVolumeName", (d, in) -> d.volume = in.readText())
            .with(2, "inlineVolumeSpec", (d, in) -> d.inline = VolumeKinds.readInlineVolume(in));

    static final MessageFields<AttachmentDraft> SPEC =
        MessageFields.of(AttachmentDraft::new)
            .with(1, "attacher", (d, in) -> d.attacher = in.readSharedText())
            .with(2, "source", SOURCE::readInto)
            .with(3, "nodeName", (d, in) -> d.node = in.readSharedText());

    static final MessageFields<AttachmentDraft> ATTACH_ERROR =
        MessageFields.of(AttachmentDraft::new)
            .with(2, "message", (d, in) -> d.attachError = in.readText());

    static final MessageFields<AttachmentDraft> DETACH_ERROR =
        MessageFields.of(AttachmentDraft::new)
            .with(2, "message", (d, in) -> d.detachError = in.readText());

    static final MessageFields<AttachmentDraft> STATUS =
        MessageFields.of(AttachmentDraft::new)
            .with(1, "attached", (d, in) -> d.isAttached = in.readFlag())
            .with(3, "attachError", ATTACH_ERROR::readInto)
            .with(4, "detachError", DETACH_ERROR::readInto);

    static final MessageFields<AttachmentDraft> MESSAGE =
        MessageFields.ofObject(AttachmentDraft::new, RetainedFields.OF_ATTACHMENT)
            .with(2, "spec", SPEC::readInto)
            .with(3, "status", STATUS::readInto);

    String attacher = "";
    String volume = "";
    Attachment.InlineVolume inline = Attachment.InlineVolume.NONE;
    String node = "";
    boolean isAttached;
    String attachError = "";
    String detachError = "";
  }

  private static final class AttributesClassDraft extends ObjectDraft {
    static final MessageFields<AttributesClassDraft> MESSAGE =
        MessageFields.ofObject(AttributesClassDraft::new, RetainedFields.NOTHING)
            .with(2, "driverName", (d, in) -> d.driver = in.readSharedText())
            .with(3, "parameters", (d, in) -> in.readStrings(d.parameters));

    String driver = "";
    final Map<String, String> parameters = new HashMap<>();
  }

  private static final class LeaseDraft extends ObjectDraft {
    static final MessageFields<LeaseDraft> SPEC =
        MessageFields.of(LeaseDraft::new)
            .with(1, "holderIdentity", (d, in) -> d.holder = in.readText())
            .with(2, "leaseDurationSeconds", (d, in) -> d.duration = (int) in.readNumber())
            .with(3, "acquireTime", (d, in) -> d.acquireTime = in.readMicros())
            .with(4, "renewTime", (d, in) -> d.renewTime = in.readMicros())
            .with(5, "leaseTransitions", (d, in) -> d.transitions = (int) in.readNumber());

    static final MessageFields<LeaseDraft> MESSAGE =
        MessageFields.ofObject(LeaseDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto);

    String holder = "";
    int duration;
    long acquireTime;
    long renewTime;
    int transitions;
  }

  private StorageKinds() {}

  static StorageClass decodeClass(WireReader in) throws IOException {
    ClassDraft draft = ClassDraft.MESSAGE.readOpen(in);
    return new StorageClass(
        draft.meta,
        draft.provisioner,
        WireReader.freeze(draft.parameters),
        draft.policy,
        WireReader.freeze(draft.mountOptions),
        draft.binding,
        draft.allowsExpansion,
        List.copyOf(draft.topologies));
  }

  private static StorageClass.Binding readBinding(WireReader in) throws IOException {
    return switch (in.readSharedText()) {
      case "Immediate" -> StorageClass.Binding.IMMEDIATE;
      case "WaitForFirstConsumer" -> StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
      default -> StorageClass.Binding.UNSET;
    };
  }

  static Map<String, List<String>> readTopology(WireReader in) throws IOException {
    return WireReader.freeze(TopologyDraft.TERM.read(in));
  }

  static Attachment decodeAttachment(WireReader in) throws IOException {
    AttachmentDraft draft = AttachmentDraft.MESSAGE.readOpen(in);
    return new Attachment(
        draft.meta,
        draft.attacher,
        draft.volume,
        draft.inline,
        draft.node,
        draft.isAttached,
        draft.attachError,
        draft.detachError);
  }

  static AttributesClass decodeAttributesClass(WireReader in) throws IOException {
    AttributesClassDraft draft = AttributesClassDraft.MESSAGE.readOpen(in);
    return new AttributesClass(draft.meta, draft.driver, WireReader.freeze(draft.parameters));
  }

  static Lease decodeLease(WireReader in) throws IOException {
    LeaseDraft draft = LeaseDraft.MESSAGE.readOpen(in);
    return new Lease(
        draft.meta,
        draft.holder,
        draft.duration,
        draft.renewTime,
        draft.acquireTime,
        draft.transitions);
  }
}
