package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Uid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class MetaDecoder {
  private static final class ObjectMeta {
    static final int NAME = 1;
    static final int NAMESPACE = 3;
    static final int UID = 5;
    static final int RESOURCE_VERSION = 6;
    static final int CREATION_TIMESTAMP = 8;
    static final int DELETION_TIMESTAMP = 9;
    static final int DELETION_GRACE_PERIOD_SECONDS = 10;
    static final int LABELS = 11;
    static final int ANNOTATIONS = 12;
    static final int OWNER_REFERENCES = 13;
    static final int FINALIZERS = 14;
    static final Fields ALL =
        Fields.of(NAME, "name")
            .and(NAMESPACE, "namespace")
            .and(UID, "uid")
            .and(RESOURCE_VERSION, "resourceVersion")
            .and(CREATION_TIMESTAMP, "creationTimestamp")
            .and(DELETION_TIMESTAMP, "deletionTimestamp")
            .and(DELETION_GRACE_PERIOD_SECONDS, "deletionGracePeriodSeconds")
            .and(LABELS, "labels")
            .and(ANNOTATIONS, "annotations")
            .and(OWNER_REFERENCES, "ownerReferences")
            .and(FINALIZERS, "finalizers");
  }

  private static final class OwnerReference {
    static final int UID = 4;
    static final int CONTROLLER = 6;
    static final Fields ALL = Fields.of(UID, "uid").and(CONTROLLER, "controller");
  }

  private static final class ListMetaFields {
    static final int RESOURCE_VERSION = 2;
    static final int CONTINUE = 3;
    static final Fields ALL =
        Fields.of(RESOURCE_VERSION, "resourceVersion").and(CONTINUE, "continue");
  }

  private static final int SHORT = 64;

  private static final Meta NONE =
      new Meta(ObjectKey.cluster(""), Uid.NONE, 0, 0, 0, Map.of(), Map.of(), List.of());

  record ListMeta(long version, String next) {}

  private MetaDecoder() {}

  static Meta none() {
    return NONE;
  }

  static Meta read(WireReader in, RetainedFields kept) throws IOException {
    return read(in, in.isWhole() ? RetainedFields.EVERYTHING : kept, true, new boolean[1]);
  }

  static PartialObject partial(WireReader in) throws IOException {
    return new PartialObject(only(in, RetainedFields.NOTHING));
  }

  static ClaimLabels claimLabels(WireReader in) throws IOException {
    return new ClaimLabels(only(in, RetainedFields.LABELS));
  }

  static Meta only(WireReader in, RetainedFields kept) throws IOException {
    Meta meta = NONE;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      if (field == KubeObject.METADATA) {
        meta = read(in, kept);
      } else {
        in.skip();
      }
    }
    return meta;
  }

  /**
   * Decodes metadata without labels, annotations, finalizers and owner, for kinds with many
   * objects.
   *
   * @param shutDown element 0 is set if the object is being deleted without a remaining grace
   *     period
   */
  static Meta slim(WireReader in, boolean[] shutDown) throws IOException {
    return read(in, RetainedFields.NOTHING, false, shutDown);
  }

  private static Meta read(WireReader in, RetainedFields kept, boolean full, boolean[] shutDown)
      throws IOException {
    long grace = -1;
    Uid controller = Uid.NONE;
    String name = "";
    String namespace = "";
    Uid uid = Uid.NONE;
    long version = 0;
    long created = 0;
    long deleted = 0;
    Map<String, String> labels = full ? new HashMap<>() : Map.of();
    Map<String, String> annotations = full ? new HashMap<>() : Map.of();
    List<String> finalizers = full ? new ArrayList<>() : List.of();
    for (int field = in.open(ObjectMeta.ALL); field != 0; field = in.next(ObjectMeta.ALL)) {
      switch (field) {
        case ObjectMeta.NAME -> name = in.text();
        case ObjectMeta.NAMESPACE -> namespace = in.shared();
        case ObjectMeta.UID -> uid = Uid.of(in.text());
        case ObjectMeta.RESOURCE_VERSION -> version = version(in.text());
        case ObjectMeta.CREATION_TIMESTAMP -> created = in.seconds();
        case ObjectMeta.DELETION_TIMESTAMP -> deleted = in.seconds();
        case ObjectMeta.DELETION_GRACE_PERIOD_SECONDS -> grace = in.number();
        case ObjectMeta.LABELS -> {
          if (full) {
            in.strings(labels, kept.labels());
          } else {
            in.skip();
          }
        }
        case ObjectMeta.ANNOTATIONS -> {
          if (full) {
            in.strings(annotations, kept.annotations());
          } else {
            in.skip();
          }
        }
        case ObjectMeta.OWNER_REFERENCES -> {
          if (full && controller.isNone()) {
            controller = controller(in);
          } else {
            in.skip();
          }
        }
        case ObjectMeta.FINALIZERS -> {
          if (full) {
            finalizers.add(in.shared());
          } else {
            in.skip();
          }
        }
        default -> in.skip();
      }
    }
    if (!annotations.isEmpty()) {
      annotations.replaceAll((key, value) -> kept(value, kept.longest()));
    }
    shutDown[0] = deleted != 0 && grace == 0;
    return new Meta(
        new ObjectKey(namespace, name),
        uid,
        version,
        created,
        deleted,
        WireReader.frozen(labels),
        WireReader.frozen(annotations),
        WireReader.frozen(finalizers),
        controller);
  }

  // Shares short values, because controllers write few different ones: "yes", a driver's name.
  private static String kept(String value, int longest) {
    if (value.length() <= SHORT) {
      return WireReader.share(value);
    }
    return value.length() > longest ? value.substring(0, longest) : value;
  }

  private static Uid controller(WireReader in) throws IOException {
    Uid uid = Uid.NONE;
    boolean controls = false;
    for (int field = in.open(OwnerReference.ALL); field != 0; field = in.next(OwnerReference.ALL)) {
      switch (field) {
        case OwnerReference.UID -> uid = Uid.of(in.text());
        case OwnerReference.CONTROLLER -> controls = in.flag();
        default -> in.skip();
      }
    }
    return controls ? uid : Uid.NONE;
  }

  static ListMeta list(WireReader in) throws IOException {
    long version = 0;
    String next = "";
    for (int field = in.open(ListMetaFields.ALL); field != 0; field = in.next(ListMetaFields.ALL)) {
      switch (field) {
        case ListMetaFields.RESOURCE_VERSION -> version = version(in.text());
        case ListMetaFields.CONTINUE -> next = in.text();
        default -> in.skip();
      }
    }
    return new ListMeta(version, next);
  }

  private static long version(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException opaque) {
      return 0;
    }
  }
}
