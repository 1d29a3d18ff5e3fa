package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolumeClaim.
 *
 * @param meta name, uid, version, labels, annotations, finalizers
 * @param accessModes the modes it asks for
 * @param request spec.resources.requests[storage], zero if absent
 * @param storageClass the class by annotation or field; null when it names none at all, "" when it
 *     asks for none
 * @param volumeName the volume it names or is bound to, "" for none
 * @param volumeMode Filesystem or Block
 * @param selector a choice among volumes by label; null for none
 * @param attributesClass spec.volumeAttributesClassName, "" for none
 * @param hasDataSource whether spec.dataSource is set, or spec.dataSourceRef, which alone names
 *     sources of other namespaces
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
    Status status)
    implements Resource {

  /**
   * What the claim was given.
   *
   * @param phase the phase
   * @param accessModes the bound volume's modes
   * @param capacity the bound volume's capacity
   * @param attributesClass status.currentVolumeAttributesClassName, "" for none
   * @param modification the change to another VolumeAttributesClass that is under way
   * @param resize the growth that is under way, or the last one
   * @param conditions the conditions, whole and in order
   */
  public record Status(
      ClaimPhase phase,
      List<String> accessModes,
      Map<String, Quantity> capacity,
      String attributesClass,
      Modification modification,
      Resize resize,
      List<Condition> conditions) {

    /** Of a claim that nothing is done to. */
    public Status(
        ClaimPhase phase,
        List<String> accessModes,
        Map<String, Quantity> capacity,
        String attributesClass) {
      this(
          phase, accessModes, capacity, attributesClass, Modification.NONE, Resize.NONE, List.of());
    }

    /** The storage that the claim has, or zero. */
    public Quantity storage() {
      return capacity.getOrDefault("storage", Quantity.ZERO);
    }
  }

  /**
   * status.modifyVolumeStatus.
   *
   * @param target the VolumeAttributesClass that the volume is changed to, "" for none
   * @param state Pending, InProgress or Infeasible, as the API spells it; "" for none
   */
  public record Modification(String target, String state) {
    /** Nothing is changed. */
    public static final Modification NONE = new Modification("", "");
  }

  /**
   * status.allocatedResources and status.allocatedResourceStatuses, of storage.
   *
   * @param allocated the size that the volume is given; null if it never grew
   * @param state how far that is
   */
  public record Resize(@Nullable Quantity allocated, ResizeState state) {
    /** Nothing grows, nothing ever grew. */
    public static final Resize NONE = new Resize(null, ResizeState.NONE);
  }

  /** How far the growth of a claim's volume is. */
  public enum ResizeState {
    /** Nothing is under way. */
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

    /** As the API spells it, "" for {@link #NONE}. */
    public String text() {
      return text;
    }

    /** The state that the API spells so; one that is not known is none. */
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
   * One condition, whole.
   *
   * @param type its type
   * @param status True, False or Unknown
   * @param reason a word, "" for none
   * @param message for people, "" for none
   * @param probed lastProbeTime in seconds since the epoch, 0 for none
   * @param changed lastTransitionTime in seconds since the epoch, 0 for none
   */
  public record Condition(
      String type, String status, String reason, String message, long probed, long changed) {}

  /** The same with other metadata. */
  public Claim with(Meta other) {
    return new Claim(
        other,
        accessModes,
        request,
        storageClass,
        volumeName,
        volumeMode,
        selector,
        attributesClass,
        hasDataSource,
        status);
  }

  /** The class that matching compares: "" where the claim names none. */
  public String className() {
    return storageClass == null ? "" : storageClass;
  }

  /** The phase. */
  public ClaimPhase phase() {
    return status.phase();
  }
}
