package dev.mooring.binder.decide;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.Builders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Volumes and claims in the words of the tables. */
public final class Given {
  public static final ObjectKey CLAIM = ObjectKey.of("default", "c");
  public static final Uid UID = Uid.of("u");

  private Given() {}

  public static Volume volume(String name, String size, UnaryOperator<VolumeBuilder> how) {
    return how.apply(new VolumeBuilder(name, size)).build();
  }

  public static Volume volume(String name, String size) {
    return volume(name, size, v -> v);
  }

  public static Claim claim(String size, UnaryOperator<ClaimBuilder> how) {
    return how.apply(new ClaimBuilder(size)).build();
  }

  public static Claim claim(String size) {
    return claim(size, c -> c);
  }

  /** A claim of the same name and of that uid. */
  static Claim claimOf(String uid) {
    return claim("1Gi", c -> c.uid(uid));
  }

  public static final class VolumeBuilder {
    private final String name;
    private final String size;
    private ClaimRef ref;
    private VolumePhase phase = VolumePhase.AVAILABLE;
    private String className = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private String attributes = "";
    private ReclaimPolicy policy = ReclaimPolicy.RETAIN;
    private String[] modes = {"ReadWriteOnce", "ReadOnlyMany"};
    private long created = 1;
    private long deleted;
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, String> annotations = new HashMap<>();
    private List<String> finalizers = List.of();
    private VolumeSource source = VolumeSource.NONE;

    private VolumeBuilder(String name, String size) {
      this.name = name;
      this.size = size;
    }

    /** By name, "" for no uid; "c" is the claim of the tests. */
    public VolumeBuilder ref(String claim, String uid) {
      ref = new ClaimRef(ObjectKey.of("default", claim), Uid.of(uid));
      return this;
    }

    public VolumeBuilder refOutsideNamespaces(String claim, String uid) {
      ref = new ClaimRef(ObjectKey.of("", claim), Uid.of(uid));
      return this;
    }

    /** It names nobody. */
    public VolumeBuilder noRef() {
      ref = null;
      return this;
    }

    public VolumeBuilder source(VolumeSource value) {
      source = value;
      return this;
    }

    public VolumeBuilder emptyRef() {
      ref = new ClaimRef(ObjectKey.of("", ""), Uid.NONE);
      return this;
    }

    public VolumeBuilder phase(VolumePhase value) {
      phase = value;
      return this;
    }

    public VolumeBuilder className(String value) {
      className = value;
      return this;
    }

    public VolumeBuilder block() {
      mode = VolumeMode.BLOCK;
      return this;
    }

    public VolumeBuilder attributes(String value) {
      attributes = value;
      return this;
    }

    public VolumeBuilder policy(ReclaimPolicy value) {
      policy = value;
      return this;
    }

    public VolumeBuilder modes(String... value) {
      modes = value;
      return this;
    }

    public VolumeBuilder created(long value) {
      created = value;
      return this;
    }

    public VolumeBuilder deleting() {
      deleted = 9;
      return this;
    }

    public VolumeBuilder label(String key, String value) {
      labels.put(key, value);
      return this;
    }

    public VolumeBuilder mark(String annotation, String value) {
      annotations.put(annotation, value);
      return this;
    }

    public VolumeBuilder finalizers(String... value) {
      finalizers = List.of(value);
      return this;
    }

    Volume build() {
      Meta meta =
          Builders.metaOf(ObjectKey.cluster(name))
              .uid("uid-" + name)
              .created(created)
              .deleted(deleted)
              .labels(Map.copyOf(labels))
              .annotations(Map.copyOf(annotations))
              .finalizers(finalizers)
              .meta();
      return Builders.volume(meta)
          .capacity(Map.of("storage", Quantity.of(size)))
          .source(source)
          .accessModes(AccessModes.of(modes))
          .claimRef(ref)
          .reclaimPolicy(policy)
          .storageClass(className)
          .volumeMode(mode)
          .attributesClass(attributes)
          .status(new Volume.Status(phase, "", ""))
          .build();
    }
  }

  public static final class ClaimBuilder {
    private final String size;
    private String className;
    private String volumeName = "";
    private VolumeMode mode = VolumeMode.FILESYSTEM;
    private LabelSelector selector;
    private String attributes = "";
    private String[] modes = {"ReadWriteOnce", "ReadOnlyMany"};
    private ClaimPhase phase = ClaimPhase.PENDING;
    private long deleted;
    private Uid uid = UID;
    private boolean source;
    private Map<String, Quantity> given = Map.of();
    private final Map<String, String> annotations = new HashMap<>();
    private List<String> finalizers = List.of();

    private ClaimBuilder(String size) {
      this.size = size;
    }

    public ClaimBuilder className(String value) {
      className = value;
      return this;
    }

    public ClaimBuilder volumeName(String value) {
      volumeName = value;
      return this;
    }

    public ClaimBuilder block() {
      mode = VolumeMode.BLOCK;
      return this;
    }

    public ClaimBuilder selector(String key, String value) {
      selector = new LabelSelector(Map.of(key, value), List.of());
      return this;
    }

    public ClaimBuilder attributes(String value) {
      attributes = value;
      return this;
    }

    public ClaimBuilder modes(String... value) {
      modes = value;
      return this;
    }

    public ClaimBuilder dataSource() {
      source = true;
      return this;
    }

    public ClaimBuilder given(String capacity) {
      given = Map.of("storage", Quantity.of(capacity));
      return this;
    }

    public ClaimBuilder done() {
      return mark(Marks.BIND_COMPLETED);
    }

    public ClaimBuilder uid(String value) {
      uid = Uid.of(value);
      return this;
    }

    public ClaimBuilder deleting() {
      deleted = 9;
      return this;
    }

    public ClaimBuilder phase(ClaimPhase value) {
      phase = value;
      return this;
    }

    public ClaimBuilder finalizers(String... value) {
      finalizers = List.of(value);
      return this;
    }

    public ClaimBuilder mark(String annotation) {
      return mark(annotation, "yes");
    }

    public ClaimBuilder mark(String annotation, String value) {
      annotations.put(annotation, value);
      return this;
    }

    Claim build() {
      Meta meta =
          Builders.metaOf(CLAIM)
              .uid(uid)
              .created(1)
              .deleted(deleted)
              .annotations(Map.copyOf(annotations))
              .finalizers(finalizers)
              .meta();
      return Builders.claim(meta)
          .accessModes(AccessModes.of(modes))
          .request(Quantity.of(size))
          .storageClass(className)
          .volumeName(volumeName)
          .volumeMode(mode)
          .selector(selector)
          .attributesClass(attributes)
          .hasDataSource(source)
          .status(new Claim.Status(phase, List.of(), given, ""))
          .build();
    }
  }
}
