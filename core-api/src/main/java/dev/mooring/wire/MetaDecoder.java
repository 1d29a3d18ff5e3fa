package dev.mooring.wire;

import dev.mooring.model.ClaimLabels;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Uid;
import dev.mooring.wire.MessageFields.ObjectDraft;
import dev.mooring.wire.WireReader.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class MetaDecoder {
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

  private static final class OwnerDraft {
    static final MessageFields<OwnerDraft> MESSAGE =
        MessageFields.of(OwnerDraft::new)
            .with(4, "uid", (d, in) -> d.uid = Uid.of(in.readText()))
            .with(6, "controller", (d, in) -> d.isController = in.readFlag());

    Uid uid = Uid.NONE;
    boolean isController;
  }

  private static final class ListMetaDraft {
    static final MessageFields<ListMetaDraft> MESSAGE =
        MessageFields.of(ListMetaDraft::new)
            .with(2, "resourceVersion", (d, in) -> d.version = parseVersion(in.readText()))
            .with(3, "continue", (d, in) -> d.continueToken = in.readText());

    long version;
    String continueToken = "";
  }

  private static final int MAX_SHARED_LENGTH = 64;

  private static final Meta NONE =
      new Meta(ObjectKey.cluster(""), Uid.NONE, 0, 0, 0, Map.of(), Map.of(), List.of());

  private static final MessageFields<ObjectDraft> WITHOUT_LABELS =
      MessageFields.ofObject(ObjectDraft::new, RetainedFields.NOTHING);
  private static final MessageFields<ObjectDraft> WITH_LABELS =
      MessageFields.ofObject(ObjectDraft::new, RetainedFields.LABELS);
  private static final MessageFields<ObjectDraft> BOOKMARK =
      MessageFields.ofObject(ObjectDraft::new, RetainedFields.OF_BOOKMARK);

  public record ListMeta(long version, String continueToken) {}

  private MetaDecoder() {}

  static Meta getEmpty() {
    return NONE;
  }

  static Meta decode(WireReader in, RetainedFields retained) throws IOException {
    return decode(in, in.isWhole() ? RetainedFields.EVERYTHING : retained, true, new boolean[1]);
  }

  public static PartialObject decodePartial(WireReader in) throws IOException {
    return new PartialObject(WITHOUT_LABELS.readOpen(in).meta);
  }

  static ClaimLabels decodeClaimLabels(WireReader in) throws IOException {
    return new ClaimLabels(WITH_LABELS.readOpen(in).meta);
  }

  public static Meta decodeBookmark(WireReader in) throws IOException {
    return BOOKMARK.readOpen(in).meta;
  }

  /**
   * Decodes metadata without labels, annotations, finalizers and owner, for kinds with many
   * objects, unless the reader retains everything.
   *
   * @param isShutDown element 0 is set if the object is being deleted without a remaining grace
   *     period
   */
  static Meta decodeSlim(WireReader in, boolean[] isShutDown) throws IOException {
    boolean isFull = in.isWhole();
    return decode(
        in, isFull ? RetainedFields.EVERYTHING : RetainedFields.NOTHING, isFull, isShutDown);
  }

  private static Meta decode(
      WireReader in, RetainedFields retained, boolean isFull, boolean[] isShutDown)
      throws IOException {
    long gracePeriod = -1;
    Uid controller = Uid.NONE;
    String name = "";
    String namespace = "";
    Uid uid = Uid.NONE;
    long version = 0;
    long creationTime = 0;
    long deletionTime = 0;
    Map<String, String> labels = isFull ? new HashMap<>() : Map.of();
    Map<String, String> annotations = isFull ? new HashMap<>() : Map.of();
    List<String> finalizers = isFull ? new ArrayList<>() : List.of();
    for (int field = in.open(ObjectMeta.ALL); field != 0; field = in.next(ObjectMeta.ALL)) {
      switch (field) {
        case ObjectMeta.NAME -> name = in.readText();
        case ObjectMeta.NAMESPACE -> namespace = in.readSharedText();
        case ObjectMeta.UID -> uid = Uid.of(in.readText());
        case ObjectMeta.RESOURCE_VERSION -> version = parseVersion(in.readText());
        case ObjectMeta.CREATION_TIMESTAMP -> creationTime = in.readSeconds();
        case ObjectMeta.DELETION_TIMESTAMP -> deletionTime = in.readSeconds();
        case ObjectMeta.DELETION_GRACE_PERIOD_SECONDS -> gracePeriod = in.readNumber();
        case ObjectMeta.LABELS -> {
          if (isFull) {
            in.readStrings(labels, retained.labels());
          } else {
            in.skip();
          }
        }
        case ObjectMeta.ANNOTATIONS -> {
          if (isFull) {
            in.readStrings(annotations, retained.annotations());
          } else {
            in.skip();
          }
        }
        case ObjectMeta.OWNER_REFERENCES -> {
          if (isFull && controller.isNone()) {
            controller = readController(in);
          } else {
            in.skip();
          }
        }
        case ObjectMeta.FINALIZERS -> {
          if (isFull) {
            finalizers.add(in.readSharedText());
          } else {
            in.skip();
          }
        }
        default -> in.skip();
      }
    }
    if (!annotations.isEmpty()) {
      annotations.replaceAll((key, value) -> shareOrTruncate(value, retained.maxLength()));
    }
    isShutDown[0] = deletionTime != 0 && gracePeriod == 0;
    return new Meta(
        new ObjectKey(namespace, name),
        uid,
        version,
        creationTime,
        deletionTime,
        WireReader.freeze(labels),
        WireReader.freeze(annotations),
        WireReader.freeze(finalizers),
        controller);
  }

  // Shares short values, because controllers write few different ones: "yes", a driver's name.
  private static String shareOrTruncate(String value, int maxLength) {
    if (value.length() <= MAX_SHARED_LENGTH) {
      return WireReader.shareText(value);
    }
    return value.length() > maxLength ? value.substring(0, maxLength) : value;
  }

  private static Uid readController(WireReader in) throws IOException {
    OwnerDraft owner = OwnerDraft.MESSAGE.read(in);
    return owner.isController ? owner.uid : Uid.NONE;
  }

  public static ListMeta decodeList(WireReader in) throws IOException {
    ListMetaDraft draft = ListMetaDraft.MESSAGE.read(in);
    return new ListMeta(draft.version, draft.continueToken);
  }

  private static long parseVersion(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException opaque) {
      return 0;
    }
  }
}
