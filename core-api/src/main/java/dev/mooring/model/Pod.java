package dev.mooring.model;

import java.util.List;

/**
 * A Pod with only the fields that volume controllers use, because a cache may hold 150,000 pods.
 *
 * @param meta key, uid, version, deletion; without labels, annotations and finalizers
 * @param nodeName node of the pod; "" if unscheduled
 * @param claims names of all claims that the pod uses, including those of generic ephemeral volumes
 *     ({@code <pod>-<volume>})
 * @param ephemeral names of its generic ephemeral volumes
 * @param inline attachable inline volumes: iSCSI, Fibre Channel and in-tree types that CSI drivers
 *     have replaced
 * @param phase phase
 * @param containersStopped whether every reported container is terminated or waiting; true if none
 *     is reported
 * @param shutDown whether the pod is being deleted with a grace period of zero, so the kubelet has
 *     finished with it
 */
public record Pod(
    Meta meta,
    String nodeName,
    List<String> claims,
    List<String> ephemeral,
    List<Inline> inline,
    Phase phase,
    boolean containersStopped,
    boolean shutDown)
    implements Resource {

  public record Inline(String name, VolumeSource source) {}

  public Pod(
      Meta meta,
      String nodeName,
      List<String> claims,
      List<String> ephemeral,
      Phase phase,
      boolean containersStopped,
      boolean shutDown) {
    this(meta, nodeName, claims, ephemeral, List.of(), phase, containersStopped, shutDown);
  }

  /**
   * Returns whether the pod uses claims or attachable inline volumes. Never changes, because a
   * pod's volumes are immutable.
   */
  public boolean usesVolumes() {
    return !claims.isEmpty() || !inline.isEmpty();
  }

  public enum Phase {
    UNSET,
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED;

    public static Phase of(String text) {
      return switch (text) {
        case "Pending" -> PENDING;
        case "Running" -> RUNNING;
        case "Succeeded" -> SUCCEEDED;
        case "Failed" -> FAILED;
        default -> UNSET;
      };
    }
  }

  public boolean isFinished() {
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
  }

  public String claimOf(String ephemeralVolume) {
    return meta.name() + "-" + ephemeralVolume;
  }

  /**
   * Returns whether the pod cannot use its volumes again (Kubernetes: IsPodTerminated): it has
   * finished, or it is being deleted and no container runs.
   */
  public boolean isTerminated() {
    return isFinished() || (meta.isBeingDeleted() && containersStopped);
  }
}
