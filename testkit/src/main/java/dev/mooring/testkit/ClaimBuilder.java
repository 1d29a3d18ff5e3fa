package dev.mooring.testkit;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.Claim.Resize;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builder of a PersistentVolumeClaim. Default: 1Gi, ReadWriteOnce, no class, no volume. */
public final class ClaimBuilder extends ObjectBuilder<Claim, ClaimBuilder> {
  private AccessModes accessModes = AccessModes.of("ReadWriteOnce");
  private Quantity request = Quantity.of("1Gi");
  private @Nullable String storageClass = null;
  private String volumeName = "";
  private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
  private @Nullable LabelSelector selector = null;
  private String attributesClass = "";
  private boolean hasDataSource = false;
  private @Nullable DataSourceRef dataSourceRef = null;
  private Claim.Status status = new Claim.Status(ClaimPhase.UNSET, List.of(), Map.of(), "");

  ClaimBuilder(ObjectKey key) {
    super(key);
  }

  public ClaimBuilder accessModes(AccessModes value) {
    this.accessModes = value;
    return this;
  }

  public ClaimBuilder request(Quantity value) {
    this.request = value;
    return this;
  }

  public ClaimBuilder storageClass(@Nullable String value) {
    this.storageClass = value;
    return this;
  }

  public ClaimBuilder volumeName(String value) {
    this.volumeName = value;
    return this;
  }

  public ClaimBuilder volumeMode(VolumeMode value) {
    this.volumeMode = value;
    return this;
  }

  public ClaimBuilder selector(@Nullable LabelSelector value) {
    this.selector = value;
    return this;
  }

  public ClaimBuilder attributesClass(String value) {
    this.attributesClass = value;
    return this;
  }

  public ClaimBuilder hasDataSource(boolean value) {
    this.hasDataSource = value;
    return this;
  }

  /** Sets the data source; {@link #hasDataSource} is then true. */
  public ClaimBuilder dataSourceRef(@Nullable DataSourceRef value) {
    this.dataSourceRef = value;
    return value == null ? this : hasDataSource(true);
  }

  public ClaimBuilder status(Claim.Status value) {
    this.status = value;
    return this;
  }

  public ClaimBuilder accessModes(String... modes) {
    return accessModes(AccessModes.of(modes));
  }

  public ClaimBuilder request(String quantity) {
    return request(Quantity.of(quantity));
  }

  public ClaimBuilder selector(String label, String value) {
    return selector(new LabelSelector(Map.of(label, value), List.of()));
  }

  public ClaimBuilder phase(ClaimPhase phase) {
    return status(phase, status.capacity(), status.resize(), status.conditions());
  }

  public ClaimBuilder capacity(String quantity) {
    Map<String, Quantity> capacity = Map.of("storage", Quantity.of(quantity));
    return status(status.phase(), capacity, status.resize(), status.conditions());
  }

  public ClaimBuilder resize(@Nullable String allocated, ResizeState state) {
    Resize resize = new Resize(allocated == null ? null : Quantity.of(allocated), state);
    return status(status.phase(), status.capacity(), resize, status.conditions());
  }

  public ClaimBuilder conditions(Condition... values) {
    return status(status.phase(), status.capacity(), status.resize(), List.of(values));
  }

  public ClaimBuilder healthConditions(HealthCondition... values) {
    return status(
        new Claim.Status(
            status.phase(),
            status.accessModes(),
            status.capacity(),
            status.attributesClass(),
            status.modification(),
            status.resize(),
            status.conditions(),
            List.of(values)));
  }

  private ClaimBuilder status(
      ClaimPhase phase, Map<String, Quantity> capacity, Resize resize, List<Condition> conditions) {
    return status(
        new Claim.Status(
            phase,
            status.accessModes(),
            capacity,
            status.attributesClass(),
            status.modification(),
            resize,
            conditions,
            status.healthConditions()));
  }

  /**
   * Binds the claim to a volume and copies the volume's capacity and access modes to the status.
   */
  public ClaimBuilder boundTo(Volume volume) {
    return volumeName(volume.meta().name())
        .status(
            new Claim.Status(
                ClaimPhase.BOUND,
                volume.accessModes().written(),
                volume.capacity(),
                volume.attributesClass()));
  }

  @Override
  public Claim build() {
    return new Claim(
        meta(),
        accessModes,
        request,
        storageClass,
        volumeName,
        volumeMode,
        selector,
        attributesClass,
        hasDataSource,
        dataSourceRef,
        status);
  }
}
