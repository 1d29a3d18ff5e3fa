package dev.mooring.expander.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.ResizeConditions;

/**
 * Decides which component expands a claim's volume. Kubernetes decides it in {@code
 * pkg/controller/volume/expand}.
 */
public final class ExpandDecider {
  public static final String PRE_RESIZE_CAPACITY = ResizeConditions.PRE_RESIZE;

  private ExpandDecider() {}

  public static boolean hasGrown(Claim old, Claim current) {
    return current.phase() == ClaimPhase.BOUND
        && (current.request().compareTo(old.request()) > 0
            || current.status().storage().compareTo(old.status().storage()) > 0);
  }

  // Returns whether a claim whose last size was refused requests another size.
  public static boolean requestsOtherSize(Claim old, Claim current) {
    return hasOtherSize(current)
        && (!hasOtherSize(old) || old.request().compareTo(current.request()) != 0);
  }

  private static boolean hasOtherSize(Claim claim) {
    Quantity allocated = claim.status().resize().allocated();
    return claim.phase() == ClaimPhase.BOUND
        && claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE
        && allocated != null
        && claim.request().compareTo(allocated) != 0;
  }

  /**
   * Returns whether a bound claim may have something to expand or to clean up. In Kubernetes every
   * claim is checked, because an earlier expansion may have left an annotation on the volume.
   *
   * @param hasAnnotation whether the cached volume has the annotation
   */
  public static boolean isCandidate(Claim claim, boolean hasAnnotation, Compat compat) {
    return compat.isKubernetes() || isCandidate(claim, hasAnnotation);
  }

  /** Returns the same independently of the compat mode: only a known annotation counts. */
  public static boolean isCandidate(Claim claim, boolean hasAnnotation) {
    return hasAnnotation || isGrowthRequested(claim);
  }

  public static boolean isGrowthRequested(Claim claim) {
    return claim.request().compareTo(claim.status().storage()) > 0;
  }

  public enum GrowerLocation {
    HERE,
    ELSEWHERE
  }

  public static ExpandDecision decide(
      Claim claim, Volume volume, GrowerLocation growerLocation, Compat compat) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || !ref.claim().namespace().equals(claim.key().namespace())
        || !ref.uid().equals(claim.meta().uid())) {
      return new ExpandDecision.NotBound(
          "persistent Volume is not bound to PVC being updated : " + claim.key());
    }
    boolean hasAnnotation = volume.meta().hasAnnotation(PRE_RESIZE_CAPACITY);
    if (!isGrowthRequested(claim) && !hasAnnotation) {
      return new ExpandDecision.Nothing();
    }
    String plugin = CsiMigration.pluginOf(volume.source());
    if (plugin.isEmpty() && growerLocation == GrowerLocation.HERE) {
      return decideGrowth(claim, volume, hasAnnotation);
    }
    if (!isGrowthRequested(claim) && !compat.isKubernetes()) {
      return new ExpandDecision.Nothing();
    }
    return plugin.isEmpty()
        ? new ExpandDecision.LeaveToExternalResizer()
        : new ExpandDecision.HandOver(plugin, CsiMigration.driverOf(plugin));
  }

  /**
   * Returns the capacity to write after an expansion.
   *
   * @param oldCapacity capacity before
   * @param reported capacity that the plugin reported; in Kubernetes it may reduce the written
   *     capacity
   */
  public static Quantity capacityToWrite(Quantity oldCapacity, Quantity reported, Compat compat) {
    return compat.isKubernetes() || reported.compareTo(oldCapacity) >= 0 ? reported : oldCapacity;
  }

  /** An expansion may have stopped at any point, and the request may have changed. */
  private static ExpandDecision decideGrowth(Claim claim, Volume volume, boolean hasAnnotation) {
    Quantity requested = claim.request();
    Quantity capacity = claim.status().storage();
    if (hasAnnotation
        && requested.compareTo(capacity) <= 0
        && capacity.compareTo(volume.storage()) >= 0) {
      return new ExpandDecision.RemoveAnnotation();
    }
    Claim.Resize resize = claim.status().resize();
    Quantity allocated = resize.allocated();
    Quantity target = allocated == null ? requested : allocated;
    if (volume.storage().compareTo(requested) < 0) {
      return switch (resize.state()) {
        case CONTROLLER_IN_PROGRESS, NODE_PENDING, NODE_IN_PROGRESS, NODE_INFEASIBLE ->
            new ExpandDecision.Grow(target);
        case NONE, CONTROLLER_INFEASIBLE -> new ExpandDecision.Grow(requested);
      };
    }
    return switch (resize.state()) {
      case NODE_PENDING, NODE_IN_PROGRESS -> new ExpandDecision.Nothing();
      case NODE_INFEASIBLE -> new ExpandDecision.RequestNodeExpansion();
      case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE, NONE -> new ExpandDecision.Grow(target);
    };
  }
}
