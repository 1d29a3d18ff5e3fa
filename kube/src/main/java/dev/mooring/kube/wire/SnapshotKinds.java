package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decodes the kinds of snapshot.storage.k8s.io. They are custom resources, so only JSON occurs; the
 * field numbers are those of the Go types' tags.
 */
final class SnapshotKinds {
  private static final class SnapshotSpec {
    static final int SOURCE = 1;
    static final int VOLUME_SNAPSHOT_CLASS_NAME = 2;
    static final Fields ALL =
        Fields.of(SOURCE, "source").and(VOLUME_SNAPSHOT_CLASS_NAME, "volumeSnapshotClassName");
  }

  private static final class SnapshotSourceFields {
    static final int PERSISTENT_VOLUME_CLAIM_NAME = 1;
    static final int VOLUME_SNAPSHOT_CONTENT_NAME = 2;
    static final Fields ALL =
        Fields.of(PERSISTENT_VOLUME_CLAIM_NAME, "persistentVolumeClaimName")
            .and(VOLUME_SNAPSHOT_CONTENT_NAME, "volumeSnapshotContentName");
  }

  private static final class SnapshotStatus {
    static final int BOUND_VOLUME_SNAPSHOT_CONTENT_NAME = 1;
    static final int CREATION_TIME = 2;
    static final int READY_TO_USE = 3;
    static final int RESTORE_SIZE = 4;
    static final int ERROR = 5;
    static final int VOLUME_GROUP_SNAPSHOT_NAME = 6;
    static final Fields ALL =
        Fields.of(BOUND_VOLUME_SNAPSHOT_CONTENT_NAME, "boundVolumeSnapshotContentName")
            .and(CREATION_TIME, "creationTime")
            .and(READY_TO_USE, "readyToUse")
            .and(RESTORE_SIZE, "restoreSize")
            .and(ERROR, "error")
            .and(VOLUME_GROUP_SNAPSHOT_NAME, "volumeGroupSnapshotName");
  }

  private static final class SnapshotError {
    static final int TIME = 1;
    static final int MESSAGE = 2;
    static final Fields ALL = Fields.of(TIME, "time").and(MESSAGE, "message");
  }

  private static final class ContentSpec {
    static final int VOLUME_SNAPSHOT_REF = 1;
    static final int DELETION_POLICY = 2;
    static final int DRIVER = 3;
    static final int VOLUME_SNAPSHOT_CLASS_NAME = 4;
    static final int SOURCE = 5;
    static final int SOURCE_VOLUME_MODE = 6;
    static final Fields ALL =
        Fields.of(VOLUME_SNAPSHOT_REF, "volumeSnapshotRef")
            .and(DELETION_POLICY, "deletionPolicy")
            .and(DRIVER, "driver")
            .and(VOLUME_SNAPSHOT_CLASS_NAME, "volumeSnapshotClassName")
            .and(SOURCE, "source")
            .and(SOURCE_VOLUME_MODE, "sourceVolumeMode");
  }

  private static final class ContentSource {
    static final int VOLUME_HANDLE = 1;
    static final int SNAPSHOT_HANDLE = 2;
    static final Fields ALL =
        Fields.of(VOLUME_HANDLE, "volumeHandle").and(SNAPSHOT_HANDLE, "snapshotHandle");
  }

  private static final class ContentStatus {
    static final int SNAPSHOT_HANDLE = 1;
    static final int CREATION_TIME = 2;
    static final int RESTORE_SIZE = 3;
    static final int READY_TO_USE = 4;
    static final int ERROR = 5;
    static final int VOLUME_GROUP_SNAPSHOT_HANDLE = 6;
    static final Fields ALL =
        Fields.of(SNAPSHOT_HANDLE, "snapshotHandle")
            .and(CREATION_TIME, "creationTime")
            .and(RESTORE_SIZE, "restoreSize")
            .and(READY_TO_USE, "readyToUse")
            .and(ERROR, "error")
            .and(VOLUME_GROUP_SNAPSHOT_HANDLE, "volumeGroupSnapshotHandle");
  }

  private static final class SnapshotClassFields {
    static final int METADATA = 1;
    static final int DRIVER = 2;
    static final int PARAMETERS = 3;
    static final int DELETION_POLICY = 4;
    static final int ALLOWED_TOPOLOGIES = 5;
    static final Fields ALL =
        Fields.of(METADATA, "metadata")
            .and(DRIVER, "driver")
            .and(PARAMETERS, "parameters")
            .and(DELETION_POLICY, "deletionPolicy")
            .and(ALLOWED_TOPOLOGIES, "allowedTopologies");
  }

  static final SnapshotContent.Ref NO_REF =
      new SnapshotContent.Ref(new ObjectKey("", ""), Uid.NONE);

  private static final SnapshotContent.Source NO_SOURCE = new SnapshotContent.Source("", "");

  private SnapshotKinds() {}

  static VolumeSnapshot decodeSnapshot(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String className = "";
    String[] source = {"", ""};
    VolumeSnapshot.Status status = VolumeSnapshot.Status.NONE;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(SnapshotSpec.ALL); f != 0; f = in.next(SnapshotSpec.ALL)) {
            switch (f) {
              case SnapshotSpec.SOURCE -> source = readSource(in);
              case SnapshotSpec.VOLUME_SNAPSHOT_CLASS_NAME -> className = in.readSharedText();
              default -> in.skip();
            }
          }
        }
        case KubeObject.STATUS -> status = readStatus(in);
        default -> in.skip();
      }
    }
    return new VolumeSnapshot(meta, source[0], source[1], className, status);
  }

  private static String[] readSource(WireReader in) throws IOException {
    String[] source = {"", ""};
    for (int f = in.open(SnapshotSourceFields.ALL); f != 0; f = in.next(SnapshotSourceFields.ALL)) {
      switch (f) {
        case SnapshotSourceFields.PERSISTENT_VOLUME_CLAIM_NAME -> source[0] = in.readText();
        case SnapshotSourceFields.VOLUME_SNAPSHOT_CONTENT_NAME -> source[1] = in.readText();
        default -> in.skip();
      }
    }
    return source;
  }

  private static VolumeSnapshot.Status readStatus(WireReader in) throws IOException {
    String content = "";
    boolean isReady = false;
    long creationTime = 0;
    Optional<Quantity> size = Optional.empty();
    Problem problem = Problem.NONE;
    String group = "";
    for (int f = in.open(SnapshotStatus.ALL); f != 0; f = in.next(SnapshotStatus.ALL)) {
      switch (f) {
        case SnapshotStatus.BOUND_VOLUME_SNAPSHOT_CONTENT_NAME -> content = in.readText();
        case SnapshotStatus.CREATION_TIME -> creationTime = in.readSeconds();
        case SnapshotStatus.READY_TO_USE -> isReady = in.readFlag();
        case SnapshotStatus.RESTORE_SIZE -> size = Optional.of(in.readQuantity());
        case SnapshotStatus.ERROR -> problem = readProblem(in);
        case SnapshotStatus.VOLUME_GROUP_SNAPSHOT_NAME -> group = in.readText();
        default -> in.skip();
      }
    }
    return new VolumeSnapshot.Status(content, isReady, creationTime, size, problem, group);
  }

  static Problem readProblem(WireReader in) throws IOException {
    long time = 0;
    String message = "";
    for (int f = in.open(SnapshotError.ALL); f != 0; f = in.next(SnapshotError.ALL)) {
      switch (f) {
        case SnapshotError.TIME -> time = in.readSeconds();
        case SnapshotError.MESSAGE -> message = in.readText();
        default -> in.skip();
      }
    }
    return new Problem(time, message);
  }

  static SnapshotContent decodeContent(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    SnapshotContent.Ref ref = NO_REF;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    SnapshotContent.Source source = NO_SOURCE;
    Optional<VolumeMode> mode = Optional.empty();
    SnapshotContent.Status status = SnapshotContent.Status.NONE;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA ->
            meta = MetaDecoder.decode(in, RetainedFields.OF_SNAPSHOT_CONTENT);
        case KubeObject.SPEC -> {
          for (int f = in.open(ContentSpec.ALL); f != 0; f = in.next(ContentSpec.ALL)) {
            switch (f) {
              case ContentSpec.VOLUME_SNAPSHOT_REF ->
                  ref = VolumeKinds.readReference(in, SnapshotContent.Ref::new);
              case ContentSpec.DELETION_POLICY -> policy = readPolicy(in);
              case ContentSpec.DRIVER -> driver = in.readSharedText();
              case ContentSpec.VOLUME_SNAPSHOT_CLASS_NAME -> className = in.readSharedText();
              case ContentSpec.SOURCE -> source = readContentSource(in);
              case ContentSpec.SOURCE_VOLUME_MODE ->
                  mode = Optional.of(VolumeMode.of(in.readSharedText()));
              default -> in.skip();
            }
          }
        }
        case KubeObject.STATUS -> status = readContentStatus(in);
        default -> in.skip();
      }
    }
    return new SnapshotContent(meta, ref, policy, driver, className, source, mode, status);
  }

  private static SnapshotContent.Source readContentSource(WireReader in) throws IOException {
    String volume = "";
    String snapshot = "";
    for (int f = in.open(ContentSource.ALL); f != 0; f = in.next(ContentSource.ALL)) {
      switch (f) {
        case ContentSource.VOLUME_HANDLE -> volume = in.readText();
        case ContentSource.SNAPSHOT_HANDLE -> snapshot = in.readText();
        default -> in.skip();
      }
    }
    return new SnapshotContent.Source(volume, snapshot);
  }

  static ReclaimPolicy readPolicy(WireReader in) throws IOException {
    return switch (in.readSharedText()) {
      case "Delete" -> ReclaimPolicy.DELETE;
      case "Retain" -> ReclaimPolicy.RETAIN;
      default -> ReclaimPolicy.UNKNOWN;
    };
  }

  private static SnapshotContent.Status readContentStatus(WireReader in) throws IOException {
    String handle = "";
    long creationTime = 0;
    long size = 0;
    boolean isReady = false;
    Problem problem = Problem.NONE;
    String group = "";
    for (int f = in.open(ContentStatus.ALL); f != 0; f = in.next(ContentStatus.ALL)) {
      switch (f) {
        case ContentStatus.SNAPSHOT_HANDLE -> handle = in.readText();
        case ContentStatus.CREATION_TIME -> creationTime = in.readNumber();
        case ContentStatus.RESTORE_SIZE -> size = in.readNumber();
        case ContentStatus.READY_TO_USE -> isReady = in.readFlag();
        case ContentStatus.ERROR -> problem = readProblem(in);
        case ContentStatus.VOLUME_GROUP_SNAPSHOT_HANDLE -> group = in.readText();
        default -> in.skip();
      }
    }
    return new SnapshotContent.Status(handle, creationTime, size, isReady, problem, group);
  }

  static SnapshotClass decodeSnapshotClass(WireReader in) throws IOException {
    return decodeClass(in, RetainedFields.OF_SNAPSHOT_CLASS, SnapshotClass::new);
  }

  interface ClassConstructor<T> {
    T makeClass(
        Meta meta,
        String driver,
        Map<String, String> parameters,
        ReclaimPolicy policy,
        List<Map<String, List<String>>> allowedTopologies);
  }

  static <T> T decodeClass(WireReader in, RetainedFields retained, ClassConstructor<T> constructor)
      throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String driver = "";
    Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    List<Map<String, List<String>>> topologies = new ArrayList<>();
    for (int field = in.next(SnapshotClassFields.ALL);
        field != 0;
        field = in.next(SnapshotClassFields.ALL)) {
      switch (field) {
        case SnapshotClassFields.METADATA -> meta = MetaDecoder.decode(in, retained);
        case SnapshotClassFields.DRIVER -> driver = in.readSharedText();
        case SnapshotClassFields.PARAMETERS -> in.readStrings(parameters);
        case SnapshotClassFields.DELETION_POLICY -> policy = readPolicy(in);
        case SnapshotClassFields.ALLOWED_TOPOLOGIES ->
            topologies.add(StorageKinds.readTopology(in));
        default -> in.skip();
      }
    }
    return constructor.makeClass(
        meta, driver, WireReader.freeze(parameters), policy, List.copyOf(topologies));
  }
}
