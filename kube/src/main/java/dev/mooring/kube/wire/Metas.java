package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
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

/** Object and list metadata. */
final class Metas {
  private static final Fields OBJECT =
      Fields.of(1, "name")
          .and(3, "namespace")
          .and(5, "uid")
          .and(6, "resourceVersion")
          .and(8, "creationTimestamp")
          .and(9, "deletionTimestamp")
          .and(10, "deletionGracePeriodSeconds")
          .and(11, "labels")
          .and(12, "annotations")
          .and(13, "ownerReferences")
          .and(14, "finalizers");
  private static final int SHORT = 64;
  private static final Fields META_ONLY = Fields.of(1, "metadata");
  private static final Fields OWNER = Fields.of(4, "uid").and(6, "controller");
  private static final Fields LIST = Fields.of(2, "resourceVersion").and(3, "continue");

  private static final Meta NONE =
      new Meta(ObjectKey.cluster(""), Uid.NONE, 0, 0, 0, Map.of(), Map.of(), List.of());

  /** What a list says of itself. */
  record ListMeta(long version, String next) {}

  private Metas() {}

  static Meta none() {
    return NONE;
  }

  /** Everything, but of labels and annotations only what is kept of the kind. */
  static Meta read(Wire in, Kept kept) throws IOException {
    return read(in, in.isWhole() ? Kept.EVERYTHING : kept, true, new boolean[1]);
  }

  /** An object of whatever kind: metadata is the first field of all. */
  static PartialObject partial(Wire in) throws IOException {
    return new PartialObject(only(in, Kept.NOTHING));
  }

  static ClaimLabels claimLabels(Wire in) throws IOException {
    return new ClaimLabels(only(in, Kept.LABELS));
  }

  /** What is kept of an object's metadata, and nothing else of it. */
  static Meta only(Wire in, Kept kept) throws IOException {
    Meta meta = NONE;
    for (int field = in.next(META_ONLY); field != 0; field = in.next(META_ONLY)) {
      if (field == 1) {
        meta = read(in, kept);
      } else {
        in.skip();
      }
    }
    return meta;
  }

  /**
   * Without labels, annotations, finalizers and owner: for the kinds of which there are many.
   *
   * @param shutDown its first element is set if the object is being deleted with no grace left
   */
  static Meta slim(Wire in, boolean[] shutDown) throws IOException {
    return read(in, Kept.NOTHING, false, shutDown);
  }

  private static Meta read(Wire in, Kept kept, boolean full, boolean[] shutDown)
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
    for (int field = in.open(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> name = in.text();
        case 3 -> namespace = in.shared();
        case 5 -> uid = Uid.of(in.text());
        case 6 -> version = version(in.text());
        case 8 -> created = in.seconds();
        case 9 -> deleted = in.seconds();
        case 10 -> grace = in.number();
        case 11 -> {
          if (full) {
            in.strings(labels, kept.labels());
          } else {
            in.skip();
          }
        }
        case 12 -> {
          if (full) {
            in.strings(annotations, kept.annotations());
          } else {
            in.skip();
          }
        }
        case 13 -> {
          if (full && controller.isNone()) {
            controller = controller(in);
          } else {
            in.skip();
          }
        }
        case 14 -> {
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
        Wire.frozen(labels),
        Wire.frozen(annotations),
        Wire.frozen(finalizers),
        controller);
  }

  /** Short values are what controllers note: "yes", a driver's name. */
  private static String kept(String value, int longest) {
    if (value.length() <= SHORT) {
      return Wire.share(value);
    }
    return value.length() > longest ? value.substring(0, longest) : value;
  }

  private static Uid controller(Wire in) throws IOException {
    Uid uid = Uid.NONE;
    boolean controls = false;
    for (int field = in.open(OWNER); field != 0; field = in.next(OWNER)) {
      switch (field) {
        case 4 -> uid = Uid.of(in.text());
        case 6 -> controls = in.flag();
        default -> in.skip();
      }
    }
    return controls ? uid : Uid.NONE;
  }

  static ListMeta list(Wire in) throws IOException {
    long version = 0;
    String next = "";
    for (int field = in.open(LIST); field != 0; field = in.next(LIST)) {
      switch (field) {
        case 2 -> version = version(in.text());
        case 3 -> next = in.text();
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
