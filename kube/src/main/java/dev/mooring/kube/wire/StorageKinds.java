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

  static StorageClass storageClass(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    String provisioner = "";
    Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.DELETE;
    List<String> mountOptions = new ArrayList<>();
    StorageClass.Binding binding = StorageClass.Binding.UNSET;
    boolean grows = false;
    List<Map<String, List<String>>> topologies = new ArrayList<>();
    for (int field = in.next(ClassFields.ALL); field != 0; field = in.next(ClassFields.ALL)) {
      switch (field) {
        case ClassFields.METADATA -> meta = MetaDecoder.read(in, RetainedFields.OF_CLASS);
        case ClassFields.PROVISIONER -> provisioner = in.shared();
        case ClassFields.PARAMETERS -> in.strings(parameters);
        case ClassFields.RECLAIM_POLICY -> policy = ReclaimPolicy.of(in.shared());
        case ClassFields.MOUNT_OPTIONS -> mountOptions.add(in.text());
        case ClassFields.ALLOW_VOLUME_EXPANSION -> grows = in.flag();
        case ClassFields.VOLUME_BINDING_MODE ->
            binding =
                switch (in.shared()) {
                  case "Immediate" -> StorageClass.Binding.IMMEDIATE;
                  case "WaitForFirstConsumer" -> StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
                  default -> StorageClass.Binding.UNSET;
                };
        case ClassFields.ALLOWED_TOPOLOGIES -> topologies.add(topology(in));
        default -> in.skip();
      }
    }
    return new StorageClass(
        meta,
        provisioner,
        WireReader.frozen(parameters),
        policy,
        WireReader.frozen(mountOptions),
        binding,
        grows,
        List.copyOf(topologies));
  }

  private static Map<String, List<String>> topology(WireReader in) throws IOException {
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
          case TopologyLabel.KEY -> key = in.text();
          case TopologyLabel.VALUES -> values.add(in.text());
          default -> in.skip();
        }
      }
      term.put(key, WireReader.frozen(values));
    }
    return WireReader.frozen(term);
  }

  static Attachment attachment(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    AttachmentDraft spec = new AttachmentDraft();
    boolean attached = false;
    String attachError = "";
    String detachError = "";
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.read(in, RetainedFields.OF_ATTACHMENT);
        case KubeObject.SPEC -> spec.read(in);
        case KubeObject.STATUS -> {
          for (int f = in.open(AttachmentStatus.ALL); f != 0; f = in.next(AttachmentStatus.ALL)) {
            switch (f) {
              case AttachmentStatus.ATTACHED -> attached = in.flag();
              case AttachmentStatus.ATTACH_ERROR ->
                  attachError = in.only(VolumeError.ALL, VolumeError.MESSAGE);
              case AttachmentStatus.DETACH_ERROR ->
                  detachError = in.only(VolumeError.ALL, VolumeError.MESSAGE);
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
        attached,
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
          case AttachmentSpec.ATTACHER -> attacher = in.shared();
          case AttachmentSpec.SOURCE -> readSource(in);
          case AttachmentSpec.NODE_NAME -> node = in.shared();
          default -> in.skip();
        }
      }
    }

    private void readSource(WireReader in) throws IOException {
      for (int field = in.open(AttachmentSource.ALL);
          field != 0;
          field = in.next(AttachmentSource.ALL)) {
        switch (field) {
          case AttachmentSource.PERSISTENT_VOLUME_NAME -> volume = in.text();
          case AttachmentSource.INLINE_VOLUME_SPEC -> inline = VolumeKinds.inlineVolume(in);
          default -> in.skip();
        }
      }
    }
  }

  static AttributesClass attributesClass(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    String driver = "";
    Map<String, String> parameters = new HashMap<>();
    for (int field = in.next(AttributesFields.ALL);
        field != 0;
        field = in.next(AttributesFields.ALL)) {
      switch (field) {
        case AttributesFields.METADATA -> meta = MetaDecoder.read(in, RetainedFields.NOTHING);
        case AttributesFields.DRIVER_NAME -> driver = in.shared();
        case AttributesFields.PARAMETERS -> in.strings(parameters);
        default -> in.skip();
      }
    }
    return new AttributesClass(meta, driver, WireReader.frozen(parameters));
  }

  static Lease lease(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    String holder = "";
    int duration = 0;
    long acquired = 0;
    long renewed = 0;
    int transitions = 0;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.read(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(LeaseSpec.ALL); f != 0; f = in.next(LeaseSpec.ALL)) {
            switch (f) {
              case LeaseSpec.HOLDER_IDENTITY -> holder = in.text();
              case LeaseSpec.LEASE_DURATION_SECONDS -> duration = (int) in.number();
              case LeaseSpec.ACQUIRE_TIME -> acquired = in.micros();
              case LeaseSpec.RENEW_TIME -> renewed = in.micros();
              case LeaseSpec.LEASE_TRANSITIONS -> transitions = (int) in.number();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Lease(meta, holder, duration, renewed, acquired, transitions);
  }
}
