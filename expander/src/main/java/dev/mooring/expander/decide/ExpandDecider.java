package dev.mooring.expander.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Migration;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;

/** Decides who grows a claim's volume (spec/expander.md 2.2). */
public final class ExpandDecider {
  /** On a volume: what its capacity was before it began to grow. */
  public static final String PRE_RESIZE_CAPACITY = "volume.alpha.kubernetes.io/pre-resize-capacity";

  private ExpandDecider() {}

  /**
   * Whether a claim that changed has to be looked at: it asks for more than before, or was given
   * more. One that asks for less is not.
   */
  public static boolean concerns(Claim before, Claim now) {
    return now.phase() == ClaimPhase.BOUND
        && (now.request().compareTo(before.request()) > 0
            || given(now).compareTo(given(before)) > 0);
  }

  /**
   * Whether a bound claim, looked at alone, may have anything to grow. In Kubernetes every claim's
   * volume is looked at, for a mark that an earlier expansion may have left there.
   */
  public static boolean mayConcern(Claim claim, boolean likeKubernetes) {
    return likeKubernetes || claim.request().compareTo(given(claim)) > 0;
  }

  private static Quantity given(Claim claim) {
    return claim.status().capacity().getOrDefault("storage", Quantity.ZERO);
  }

  /**
   * Decides.
   *
   * @param volume the volume that the claim names, as the server has it now
   * @param likeKubernetes whether a volume that merely still carries the mark of an earlier
   *     expansion is told about, as in Kubernetes
   */
  public static ExpandDecision decide(Claim claim, Volume volume, boolean likeKubernetes) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || !ref.claim().namespace().equals(claim.key().namespace())
        || !ref.uid().equals(claim.meta().uid())) {
      return new ExpandDecision.NotBound(
          "persistent Volume is not bound to PVC being updated : " + claim.key());
    }
    boolean marked = likeKubernetes && volume.meta().has(PRE_RESIZE_CAPACITY);
    if (claim.request().compareTo(given(claim)) <= 0 && !marked) {
      return new ExpandDecision.Nothing();
    }
    String plugin = Migration.pluginOf(volume.source());
    return plugin.isEmpty()
        ? new ExpandDecision.LeaveToOthers()
        : new ExpandDecision.HandOver(plugin, Migration.driverOf(plugin));
  }
}
