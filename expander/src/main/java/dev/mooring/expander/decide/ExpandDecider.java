package dev.mooring.expander.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Migration;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.ResizeConditions;

/** Decides who grows a claim's volume (spec/expander.md 2.2). */
public final class ExpandDecider {
  /** On a volume: what its capacity was before it began to grow. */
  public static final String PRE_RESIZE_CAPACITY = ResizeConditions.PRE_RESIZE;

  private ExpandDecider() {}

  /**
   * Whether a claim that changed has to be looked at: it asks for more than before, or was given
   * more. One that asks for less is not.
   */
  public static boolean concerns(Claim before, Claim now) {
    return now.phase() == ClaimPhase.BOUND
        && (now.request().compareTo(before.request()) > 0
            || now.status().storage().compareTo(before.status().storage()) > 0);
  }

  /**
   * Whether a bound claim may have anything to grow, or to tidy up. In Kubernetes every claim's
   * volume is looked at, for a mark that an earlier expansion may have left there.
   *
   * @param marked whether the volume, as far as it is known here, carries such a mark
   */
  public static boolean mayConcern(Claim claim, boolean marked, Compat compat) {
    return compat.isKubernetes() || mayConcern(claim, marked);
  }

  /** The same, whoever is followed: a mark is looked for only where one is known. */
  public static boolean mayConcern(Claim claim, boolean marked) {
    return marked || asksForMore(claim);
  }

  /** Whether a claim asks for more than it was given. */
  public static boolean asksForMore(Claim claim) {
    return claim.request().compareTo(claim.status().storage()) > 0;
  }

  /** Who grows volumes of a kind. */
  public enum Growers {
    /** A plugin in this process. */
    HERE,
    /** Nobody in this process. */
    ELSEWHERE
  }

  /**
   * Decides.
   *
   * @param volume the volume that the claim names, as the server has it now
   * @param growers who grows volumes of its kind
   * @param compat in Kubernetes' a volume that merely still carries the mark of an earlier
   *     expansion is told about
   */
  public static ExpandDecision decide(Claim claim, Volume volume, Growers growers, Compat compat) {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || !ref.claim().namespace().equals(claim.key().namespace())
        || !ref.uid().equals(claim.meta().uid())) {
      return new ExpandDecision.NotBound(
          "persistent Volume is not bound to PVC being updated : " + claim.key());
    }
    boolean marked = volume.meta().has(PRE_RESIZE_CAPACITY);
    if (!asksForMore(claim) && !marked) {
      return new ExpandDecision.Nothing();
    }
    String plugin = Migration.pluginOf(volume.source());
    if (plugin.isEmpty() && growers == Growers.HERE) {
      return grow(claim, volume, marked);
    }
    if (!asksForMore(claim) && !compat.isKubernetes()) {
      return new ExpandDecision.Nothing();
    }
    return plugin.isEmpty()
        ? new ExpandDecision.LeaveToOthers()
        : new ExpandDecision.HandOver(plugin, Migration.driverOf(plugin));
  }

  /**
   * What a volume is said to have after its expansion.
   *
   * @param known what it was said to have before
   * @param told what its plugin says; in Kubernetes a volume may be written down smaller by it
   */
  public static Quantity capacity(Quantity known, Quantity told, Compat compat) {
    return compat.isKubernetes() || told.compareTo(known) >= 0 ? told : known;
  }

  /** spec/expander.md 2.3: the growth may have been left at any point, and the wish changed. */
  private static ExpandDecision grow(Claim claim, Volume volume, boolean marked) {
    Quantity asked = claim.request();
    Quantity given = claim.status().storage();
    if (marked && asked.compareTo(given) <= 0 && given.compareTo(volume.storage()) >= 0) {
      return new ExpandDecision.Unmark();
    }
    Claim.Resize resize = claim.status().resize();
    Quantity allocated = resize.allocated();
    Quantity begun = allocated == null ? asked : allocated;
    if (volume.storage().compareTo(asked) < 0) {
      return switch (resize.state()) {
        case CONTROLLER_IN_PROGRESS, NODE_PENDING, NODE_IN_PROGRESS, NODE_INFEASIBLE ->
            new ExpandDecision.Grow(begun);
        case NONE, CONTROLLER_INFEASIBLE -> new ExpandDecision.Grow(asked);
      };
    }
    return switch (resize.state()) {
      case NODE_PENDING, NODE_IN_PROGRESS -> new ExpandDecision.Nothing();
      case NODE_INFEASIBLE -> new ExpandDecision.AskNode();
      case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE, NONE -> new ExpandDecision.Grow(begun);
    };
  }
}
