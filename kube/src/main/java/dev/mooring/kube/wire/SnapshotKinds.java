package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The kinds of snapshot.storage.k8s.io. Custom resources are JSON only: the numbers are those of
 * the Go types' tags, and no server sends them.
 */
final class SnapshotKinds {
  static final Fields OBJECT = Fields.of(1, "metadata").and(2, "spec").and(3, "status");
  private static final Fields SPEC = Fields.of(1, "source").and(2, "volumeSnapshotClassName");
  private static final Fields SOURCE =
      Fields.of(1, "persistentVolumeClaimName").and(2, "volumeSnapshotContentName");
  private static final Fields STATUS =
      Fields.of(1, "boundVolumeSnapshotContentName")
          .and(2, "creationTime")
          .and(3, "readyToUse")
          .and(4, "restoreSize")
          .and(5, "error")
          .and(6, "volumeGroupSnapshotName");
  private static final Fields ERROR = Fields.of(1, "time").and(2, "message");
  private static final Fields CONTENT_SPEC =
      Fields.of(1, "volumeSnapshotRef")
          .and(2, "deletionPolicy")
          .and(3, "driver")
          .and(4, "volumeSnapshotClassName")
          .and(5, "source")
          .and(6, "sourceVolumeMode");
  private static final Fields CONTENT_SOURCE =
      Fields.of(1, "volumeHandle").and(2, "snapshotHandle");
  private static final Fields CONTENT_STATUS =
      Fields.of(1, "snapshotHandle")
          .and(2, "creationTime")
          .and(3, "restoreSize")
          .and(4, "readyToUse")
          .and(5, "error")
          .and(6, "volumeGroupSnapshotHandle");
  private static final Fields CLASS =
      Fields.of(1, "metadata").and(2, "driver").and(3, "parameters").and(4, "deletionPolicy");

  static final SnapshotContent.Ref NOBODY =
      new SnapshotContent.Ref(new ObjectKey("", ""), Uid.NONE);

  private SnapshotKinds() {}

  static VolumeSnapshot snapshot(Wire in) throws IOException {
    Meta meta = Metas.none();
    String className = "";
    String[] source = {"", ""};
    VolumeSnapshot.Status status = VolumeSnapshot.Status.NONE;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> {
          for (int f = in.open(SPEC); f != 0; f = in.next(SPEC)) {
            switch (f) {
              case 1 -> source = pair(in, SOURCE);
              case 2 -> className = in.shared();
              default -> in.skip();
            }
          }
        }
        case 3 -> status = status(in);
        default -> in.skip();
      }
    }
    return new VolumeSnapshot(meta, source[0], source[1], className, status);
  }

  /** The texts of the fields 1 and 2. */
  static String[] pair(Wire in, Fields fields) throws IOException {
    String[] pair = {"", ""};
    for (int f = in.open(fields); f != 0; f = in.next(fields)) {
      switch (f) {
        case 1 -> pair[0] = in.text();
        case 2 -> pair[1] = in.text();
        default -> in.skip();
      }
    }
    return pair;
  }

  private static VolumeSnapshot.Status status(Wire in) throws IOException {
    String content = "";
    boolean ready = false;
    long created = 0;
    Optional<Quantity> size = Optional.empty();
    Problem problem = Problem.NONE;
    String group = "";
    for (int f = in.open(STATUS); f != 0; f = in.next(STATUS)) {
      switch (f) {
        case 1 -> content = in.text();
        case 2 -> created = in.seconds();
        case 3 -> ready = in.flag();
        case 4 -> size = Optional.of(in.quantity());
        case 5 -> problem = problem(in);
        case 6 -> group = in.text();
        default -> in.skip();
      }
    }
    return new VolumeSnapshot.Status(content, ready, created, size, problem, group);
  }

  static Problem problem(Wire in) throws IOException {
    long time = 0;
    String message = "";
    for (int f = in.open(ERROR); f != 0; f = in.next(ERROR)) {
      switch (f) {
        case 1 -> time = in.seconds();
        case 2 -> message = in.text();
        default -> in.skip();
      }
    }
    return new Problem(time, message);
  }

  static SnapshotContent content(Wire in) throws IOException {
    Meta meta = Metas.none();
    SnapshotContent.Ref ref = NOBODY;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    String[] source = {"", ""};
    Optional<VolumeMode> mode = Optional.empty();
    SnapshotContent.Status status = SnapshotContent.Status.NONE;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_SNAPSHOT_CONTENT);
        case 2 -> {
          for (int f = in.open(CONTENT_SPEC); f != 0; f = in.next(CONTENT_SPEC)) {
            switch (f) {
              case 1 -> ref = Volumes.reference(in, SnapshotContent.Ref::new);
              case 2 -> policy = policy(in);
              case 3 -> driver = in.shared();
              case 4 -> className = in.shared();
              case 5 -> source = pair(in, CONTENT_SOURCE);
              case 6 -> mode = Optional.of(VolumeMode.of(in.shared()));
              default -> in.skip();
            }
          }
        }
        case 3 -> status = contentStatus(in);
        default -> in.skip();
      }
    }
    SnapshotContent.Source of = new SnapshotContent.Source(source[0], source[1]);
    return new SnapshotContent(meta, ref, policy, driver, className, of, mode, status);
  }

  /** There is no third one, and none by default. */
  static ReclaimPolicy policy(Wire in) throws IOException {
    return switch (in.shared()) {
      case "Delete" -> ReclaimPolicy.DELETE;
      case "Retain" -> ReclaimPolicy.RETAIN;
      default -> ReclaimPolicy.UNKNOWN;
    };
  }

  private static SnapshotContent.Status contentStatus(Wire in) throws IOException {
    String handle = "";
    long created = 0;
    long size = 0;
    boolean ready = false;
    Problem problem = Problem.NONE;
    String group = "";
    for (int f = in.open(CONTENT_STATUS); f != 0; f = in.next(CONTENT_STATUS)) {
      switch (f) {
        case 1 -> handle = in.text();
        case 2 -> created = in.number();
        case 3 -> size = in.number();
        case 4 -> ready = in.flag();
        case 5 -> problem = problem(in);
        case 6 -> group = in.text();
        default -> in.skip();
      }
    }
    return new SnapshotContent.Status(handle, created, size, ready, problem, group);
  }

  static SnapshotClass snapshotClass(Wire in) throws IOException {
    return classOf(in, Kept.OF_SNAPSHOT_CLASS, SnapshotClass::new);
  }

  /** A class of snapshots, or of groups of them. */
  interface OfClass<T> {
    T of(Meta meta, String driver, Map<String, String> parameters, ReclaimPolicy policy);
  }

  static <T> T classOf(Wire in, Kept kept, OfClass<T> made) throws IOException {
    Meta meta = Metas.none();
    String driver = "";
    Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    for (int field = in.next(CLASS); field != 0; field = in.next(CLASS)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, kept);
        case 2 -> driver = in.shared();
        case 3 -> in.strings(parameters);
        case 4 -> policy = policy(in);
        default -> in.skip();
      }
    }
    return made.of(meta, driver, Wire.frozen(parameters), policy);
  }
}
