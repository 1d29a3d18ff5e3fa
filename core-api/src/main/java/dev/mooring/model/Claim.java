package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolumeClaim.
 *
 * @param meta name, uid, version, labels, annotations, finalizers
 * @param accessModes requested access modes
 * @param request spec.resources.requests[storage]; zero if absent
 * @param storageClass class from the annotation or field; null if both are absent, "" if the claim
 *     explicitly requests no class
 * @param volumeName requested or bound volume; "" if none
 * @param volumeMode Filesystem or Block
 * @param selector label selector for volumes; null if none
 * @param attributesClass spec.volumeAttributesClassName; "" if none
 * @param hasDataSource whether spec.dataSource or spec.dataSourceRef is set; only the latter can
 *     refer to other namespaces
 * @param dataSourceRef spec.dataSourceRef; null if none
 * @param status phase, modes, capacity
 */
public record Claim(
    Meta meta,
    AccessModes accessModes,
    Quantity request,
    @Nullable String storageClass,
    String volumeName,
    VolumeMode volumeMode,
    @Nullable LabelSelector selector,
    String attributesClass,
    boolean hasDataSource,
    @Nullable DataSourceRef dataSourceRef,
    Status status)
    implements Resource {

  public record Status(
      ClaimPhase phase,
      List<String> accessModes,
      Map<String, Quantity> capacity,
      String attributesClass,
      Modification modification,
      Resize resize,
      List<Condition> conditions,
      List<HealthCondition> healthConditions) {

    public Status(
        ClaimPhase phase,
        List<String> accessModes,
        Map<String, Quantity> capacity,
        String attributesClass) {
      this(
          phase,
          accessModes,
          capacity,
          attributesClass,
          Modification.NONE,
          Resize.NONE,
          List.of(),
          List.of());
    }

    /** Zero if absent. */
    public Quantity storage() {
      return capacity.getOrDefault("storage", Quantity.ZERO);
    }
  }

  /**
   * status.modifyVolumeStatus.
   *
   * @param target the new VolumeAttributesClass; "" if none
   * @param state Pending, InProgress or Infeasible; "" if none
   */
  public record Modification(String target, String state) {
    public static final Modification NONE = new Modification("", "");
  }

  /**
   * status.allocatedResources and status.allocatedResourceStatuses for storage.
   *
   * @param allocated target size of the expansion; null if the claim was never expanded
   * @param state progress of the expansion
   */
  public record Resize(@Nullable Quantity allocated, ResizeState state) {
    public static final Resize NONE = new Resize(null, ResizeState.NONE);
  }

  public enum ResizeState {
    NONE(""),
    CONTROLLER_IN_PROGRESS("ControllerResizeInProgress"),
    CONTROLLER_INFEASIBLE("ControllerResizeInfeasible"),
    NODE_PENDING("NodeResizePending"),
    NODE_IN_PROGRESS("NodeResizeInProgress"),
    NODE_INFEASIBLE("NodeResizeInfeasible");

    private final String text;

    ResizeState(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    /** Parses a state; an unknown value is {@link #NONE}. */
    public static ResizeState of(String text) {
      for (ResizeState state : values()) {
        if (state.text.equals(text)) {
          return state;
        }
      }
      return NONE;
    }
  }

  /**
   * A condition with all fields.
   *
   * @param type type of the condition
   * @param status True, False or Unknown
   * @param reason CamelCase reason; "" if none
   * @param message message for users; "" if none
   * @param probed lastProbeTime in seconds since the epoch; 0 if absent
   * @param changed lastTransitionTime in seconds since the epoch; 0 if absent
   */
  public record Condition(
      String type, String status, String reason, String message, long probed, long changed) {}

  /**
   * An entry of status.healthStatus.healthConditions, which Kubernetes 1.37 stores with the feature
   * gate CSIVolumeHealth.
   *
   * @param status Degraded, Inaccessible or DataLoss
   * @param reason CamelCase reason
   * @param message message for users; "" if none
   */
  public record HealthCondition(String status, String reason, String message) {}

  public Claim withMeta(Meta newMeta) {
    return new Claim(
        newMeta,
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

  /** Returns the class for matching: "" if the claim names no class. */
  public String className() {
    return storageClass == null ? "" : storageClass;
  }

  public ClaimPhase phase() {
    return status.phase();
  }
}
