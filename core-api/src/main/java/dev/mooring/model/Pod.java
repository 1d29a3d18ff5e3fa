package dev.mooring.model;

import java.util.List;

/**
 * A Pod, trimmed to what a volume controller asks of it; 150,000 of them are cached.
 *
 * @param meta key, uid, version, deletion; labels, annotations and finalizers are not kept
 * @param nodeName where it runs, "" while unscheduled
 * @param claims names of the claims it uses, those of generic ephemeral volumes ({@code
 *     <pod>-<volume>}) included
 * @param ephemeral names of its generic ephemeral volumes; their claims are {@code <pod>-<volume>}
 * @param inline volumes of attachable kinds that stand in the pod itself: in-tree ones that CSI
 *     drivers serve now, iSCSI and Fibre Channel
 * @param phase the phase
 * @param containersStopped whether every container reports a terminated or waiting state (true if
 *     none reports at all)
 * @param shutDown whether it is being deleted with a grace period of zero: the kubelet is done with
 *     it
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

  /**
   * A volume that stands in the pod itself.
   *
   * @param name its name within the pod
   * @param source what it is made of
   */
  public record Inline(String name, VolumeSource source) {}

  /** A pod without inline volumes. */
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
   * Whether it uses claims, or volumes that stand in the pod and can be attached. Never changes: a
   * pod's volumes are immutable.
   */
  public boolean usesVolumes() {
    return !claims.isEmpty() || !inline.isEmpty();
  }

  /** A pod's phase. */
  public enum Phase {
    UNSET,
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED;

    /** Reads a phase; a word that is none is UNSET. */
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

  /** Whether it has run to its end. */
  public boolean isFinished() {
    return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
  }

  /** The name of the claim of one of its generic ephemeral volumes. */
  public String claimOf(String ephemeralVolume) {
    return meta.name() + "-" + ephemeralVolume;
  }

  /**
   * Whether it will not touch its volumes again (Kubernetes' IsPodTerminated): finished, or being
   * deleted with no container running.
   */
  public boolean isTerminated() {
    return isFinished() || (meta.isBeingDeleted() && containersStopped);
  }
}
