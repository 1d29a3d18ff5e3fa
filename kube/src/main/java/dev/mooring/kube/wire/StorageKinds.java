package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class StorageKinds {
  private static final class ClassFields {
    static final int METADATA = 1;
    static final int PROVISIONER = 2;
    static final int PARAMETERS = 3;
    static final int RECLAIM_POLICY = 4;
    static final int MOUNT_OPTIONS = 5;
    static final int ALLOW_VOLUME_EXPANSION = 6;
    static final int VOLUME_BINDING_MODE = 7;
    static final int ALLOWED_TOPOLOGIES = 8;
    static final Fields ALL =
        Fields.of(METADATA, "metadata")
            .and(PROVISIONER, "provisioner")
            .and(PARAMETERS, "parameters")
            .and(RECLAIM_POLICY, "reclaimPolicy")
            .and(MOUNT_OPTIONS, "mountOptions")
            .and(ALLOW_VOLUME_EXPANSION, "allowVolumeExpansion")
            .and(VOLUME_BINDING_MODE, "volumeBindingMode")
            .and(ALLOWED_TOPOLOGIES, "allowedTopologies");
  }

  private static final class TopologyTerm {
    static final int MATCH_LABEL_EXPRESSIONS = 1;
    static final Fields ALL = Fields.of(MATCH_LABEL_EXPRESSIONS, "matchLabelExpressions");
  }

  private static final class TopologyLabel {
    static final int KEY = 1;
    static final int VALUES = 2;
    static final Fields ALL = Fields.of(KEY, "key").and(VALUES, "values");
  }

  private static final class AttachmentSpec {
    static final int ATTACHER = 1;
    static final int SOURCE = 2;
    static final int NODE_NAME = 3;
    static final Fields ALL =
        Fields.of(ATTACHER, "attacher").and(SOURCE, "source").and(NODE_NAME, "nodeName");
  }

  private static final class AttachmentSource {
    static final int PERSISTENT_VOLUME_NAME = 1;
    static final int INLINE_VOLUME_SPEC = 2;
    static final Fields ALL =
        Fields.of(PERSISTENT_VOLUME_NAME, "persistentVolumeName")
            .and(INLINE_VOLUME_SPEC, "inlineVolumeSpec");
  }

  private static final class AttachmentStatus {
    static final int ATTACHED = 1;
    static final int ATTACH_ERROR = 3;
    static final int DETACH_ERROR = 4;
    static final Fields ALL =
        Fields.of(ATTACHED, "attached")
            .and(ATTACH_ERROR, "attachError")
            .and(DETACH_ERROR, "detachError");
  }

  private static final class VolumeError {
    static final int MESSAGE = 2;
    static final Fields ALL = Fields.of(MESSAGE, "message");
  }

  private static final class AttributesFields {
    static final int METADATA = 1;
    static final int DRIVER_NAME = 2;
    static final int PARAMETERS = 3;
    static final Fields ALL =
        Fields.of(METADATA, "metadata")
            .and(DRIVER_NAME, "driverName")
            .and(PARAMETERS, "parameters");
  }

  private static final class LeaseSpec {
    static final int HOLDER_IDENTITY = 1;
    static final int LEASE_DURATION_SECONDS = 2;
    static final int ACQUIRE_TIME = 3;
    static final int RENEW_TIME = 4;
    static final int LEASE_TRANSITIONS = 5;
    static final Fields ALL =
        Fields.of(HOLDER_IDENTITY, "holderIdentity")
            .and(LEASE_DURATION_SECONDS, "leaseDurationSeconds")
            .and(ACQUIRE_TIME, "acquireTime")
            .and(RENEW_TIME, "renewTime")
            .and(LEASE_TRANSITIONS, "leaseTransitions");
  }

  private StorageKinds() {}

  static StorageClass decodeClass(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String provisioner = "";
    Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.DELETE;
    List<String> mountOptions = new ArrayList<>();
    StorageClass.Binding binding = StorageClass.Binding.UNSET;
    boolean allowsExpansion = false;
    List<Map<String, List<String>>> topologies = new ArrayList<>();
    for (int field = in.next(ClassFields.ALL); field != 0; field = in.next(ClassFields.ALL)) {
      switch (field) {
        case ClassFields.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_CLASS);
        case ClassFields.PROVISIONER -> provisioner = in.readSharedText();
        case ClassFields.PARAMETERS -> in.readStrings(parameters);
        case ClassFields.RECLAIM_POLICY -> policy = ReclaimPolicy.of(in.readSharedText());
        case ClassFields.MOUNT_OPTIONS -> mountOptions.add(in.readText());
        case ClassFields.ALLOW_VOLUME_EXPANSION -> allowsExpansion = in.readFlag();
        case ClassFields.VOLUME_BINDING_MODE ->
            binding =
                switch (in.readSharedText()) {
                  case "Immediate" -> StorageClass.Binding.IMMEDIATE;
                  case "WaitForFirstConsumer" -> StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
                  default -> StorageClass.Binding.UNSET;
                };
        case ClassFields.ALLOWED_TOPOLOGIES -> topologies.add(readTopology(in));
        default -> in.skip();
      }
    }
    return new StorageClass(
        meta,
        provisioner,
        WireReader.freeze(parameters),
        policy,
        WireReader.freeze(mountOptions),
        binding,
        allowsExpansion,
        List.copyOf(topologies));
  }

  static Map<String, List<String>> readTopology(WireReader in) throws IOException {
    Map<String, List<String>> term = new HashMap<>();
    for (int field = in.open(TopologyTerm.ALL); field != 0; field = in.next(TopologyTerm.ALL)) {
      if (field != TopologyTerm.MATCH_LABEL_EXPRESSIONS) {
        in.skip();
        continue;
      }
      String key = "";
      List<String> values = new ArrayList<>();
      for (int f = in.open(TopologyLabel.ALL); f != 0; f = in.next(TopologyLabel.ALL)) {
        switch (f) {
          case TopologyLabel.KEY -> key = in.readText();
          case TopologyLabel.VALUES -> values.add(in.readText());
          default -> in.skip();
        }
      }
      term.put(key, WireReader.freeze(values));
    }
    return WireReader.freeze(term);
  }

  static Attachment decodeAttachment(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    AttachmentDraft spec = new AttachmentDraft();
    boolean isAttached = false;
    String attachError = "";
    String detachError = "";
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_ATTACHMENT);
        case KubeObject.SPEC -> spec.read(in);
        case KubeObject.STATUS -> {
          for (int f = in.open(AttachmentStatus.ALL); f != 0; f = in.next(AttachmentStatus.ALL)) {
            switch (f) {
              case AttachmentStatus.ATTACHED -> isAttached = in.readFlag();
              case AttachmentStatus.ATTACH_ERROR ->
                  attachError = in.readSingleField(VolumeError.ALL, VolumeError.MESSAGE);
              case AttachmentStatus.DETACH_ERROR ->
                  detachError = in.readSingleField(VolumeError.ALL, VolumeError.MESSAGE);
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Attachment(
        meta,
        spec.attacher,
        spec.volume,
        spec.inline,
        spec.node,
        isAttached,
        attachError,
        detachError);
  }

  private static final class AttachmentDraft {
    private String attacher = "";
    private String volume = "";
    private Attachment.InlineVolume inline = Attachment.InlineVolume.NONE;
    private String node = "";

    void read(WireReader in) throws IOException {
      for (int field = in.open(AttachmentSpec.ALL);
          field != 0;
          field = in.next(AttachmentSpec.ALL)) {
        switch (field) {
          case AttachmentSpec.ATTACHER -> attacher = in.readSharedText();
          case AttachmentSpec.SOURCE -> readSource(in);
          case AttachmentSpec.NODE_NAME -> node = in.readSharedText();
          default -> in.skip();
        }
      }
    }

    private void readSource(WireReader in) throws IOException {
      for (int field = in.open(AttachmentSource.ALL);
          field != 0;
          field = in.next(AttachmentSource.ALL)) {
        switch (field) {
          case AttachmentSource.PERSISTENT_VOLUME_NAME -> volume = in.readText();
          case AttachmentSource.INLINE_VOLUME_SPEC -> inline = VolumeKinds.readInlineVolume(in);
          default -> in.skip();
        }
      }
    }
  }

  static AttributesClass decodeAttributesClass(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String driver = "";
    Map<String, String> parameters = new HashMap<>();
    for (int field = in.next(AttributesFields.ALL);
        field != 0;
        field = in.next(AttributesFields.ALL)) {
      switch (field) {
        case AttributesFields.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case AttributesFields.DRIVER_NAME -> driver = in.readSharedText();
        case AttributesFields.PARAMETERS -> in.readStrings(parameters);
        default -> in.skip();
      }
    }
    return new AttributesClass(meta, driver, WireReader.freeze(parameters));
  }

  static Lease decodeLease(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String holder = "";
    int duration = 0;
    long acquireTime = 0;
    long renewTime = 0;
    int transitions = 0;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(LeaseSpec.ALL); f != 0; f = in.next(LeaseSpec.ALL)) {
            switch (f) {
              case LeaseSpec.HOLDER_IDENTITY -> holder = in.readText();
              case LeaseSpec.LEASE_DURATION_SECONDS -> duration = (int) in.readNumber();
              case LeaseSpec.ACQUIRE_TIME -> acquireTime = in.readMicros();
              case LeaseSpec.RENEW_TIME -> renewTime = in.readMicros();
              case LeaseSpec.LEASE_TRANSITIONS -> transitions = (int) in.readNumber();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Lease(meta, holder, duration, renewTime, acquireTime, transitions);
  }
}
