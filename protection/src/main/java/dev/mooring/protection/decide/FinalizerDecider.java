package dev.mooring.protection.decide;

import dev.mooring.live.Fact;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Meta;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides about protection finalizers. */
public final class FinalizerDecider {
  /** The finalizer of claims. */
  public static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

  /** The finalizer of volumes. */
  public static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

  /** The finalizer of VolumeAttributesClasses. */
  public static final String CLASS_FINALIZER = "kubernetes.io/vac-protection";

  private FinalizerDecider() {}

  /** Whether the finalizer is all that may keep an object that is being deleted. */
  public static boolean isReleasable(Meta meta, String finalizer) {
    return meta.isBeingDeleted() && meta.finalizers().contains(finalizer);
  }

  /** Whether there may be anything to do: the finalizer is missing, or may have to go. */
  public static boolean concerns(Meta meta, String finalizer) {
    return meta.isBeingDeleted() == meta.finalizers().contains(finalizer);
  }

  /**
   * A claim, with pods among which are those that name it.
   *
   * @param compat in Kubernetes' a pod that has run to its end holds its claims until it is deleted
   */
  public static FinalizerDecision claim(Claim claim, Iterable<Pod> pods, Compat compat) {
    if (isReleasable(claim.meta(), CLAIM_FINALIZER)) {
      for (Pod pod : pods) {
        if (uses(pod, claim, compat)) {
          return new FinalizerDecision.Hold("pod " + pod.meta().name());
        }
      }
    }
    return decide(claim.meta(), CLAIM_FINALIZER);
  }

  /**
   * The same by the server's word: that it gave none is no reason to let the claim go.
   *
   * @param now the pods of the claim's namespace
   */
  public static FinalizerDecision confirmed(Claim claim, Fact<List<Pod>> now, Compat compat) {
    return switch (now) {
      case Fact.Present<List<Pod>>(List<Pod> pods) -> claim(claim, pods, compat);
      case Fact.Absent<List<Pod>> _ ->
          new FinalizerDecision.Unknown("the server has no pods to list");
      case Fact.Unknown<List<Pod>>(String why) -> new FinalizerDecision.Unknown(why);
      case Fact.NotAsked<List<Pod>> _ -> new FinalizerDecision.Unknown("nobody has asked");
    };
  }

  /**
   * Whether the pod holds the claim. Only a scheduled one does: no kubelet starts a pod whose claim
   * is being deleted. A claim of a generic ephemeral volume is held by its owner alone, and not
   * beyond the owner's shut-down, or the two would wait for each other.
   */
  private static boolean uses(Pod pod, Claim claim, Compat compat) {
    if (pod.nodeName().isEmpty()
        || !pod.key().namespace().equals(claim.key().namespace())
        || !pod.claims().contains(claim.meta().name())
        || (!compat.isKubernetes() && pod.isFinished())) {
      return false;
    }
    return PodClaims.byName(pod, claim)
        || (!pod.shutDown() && claim.meta().controller().equals(pod.meta().uid()));
  }

  /** A volume. */
  public static FinalizerDecision volume(Volume volume) {
    if (isReleasable(volume.meta(), VOLUME_FINALIZER) && volume.phase() == VolumePhase.BOUND) {
      return new FinalizerDecision.Hold(
          "claim " + (volume.claimRef() == null ? "?" : volume.claimRef().claim()));
    }
    return decide(volume.meta(), VOLUME_FINALIZER);
  }

  /** A VolumeAttributesClass, with all claims and volumes. */
  public static FinalizerDecision attributesClass(
      AttributesClass attributes, Iterable<Claim> claims, Iterable<Volume> volumes) {
    if (isReleasable(attributes.meta(), CLASS_FINALIZER)) {
      String name = attributes.meta().name();
      for (Volume volume : volumes) {
        if (volume.attributesClass().equals(name)) {
          return new FinalizerDecision.Hold("volume " + volume.meta().name());
        }
      }
      for (Claim claim : claims) {
        if (classesOf(claim).contains(name)) {
          return new FinalizerDecision.Hold("claim " + claim.key());
        }
      }
    }
    return decide(attributes.meta(), CLASS_FINALIZER);
  }

  /** The VolumeAttributesClasses that a claim has, asks for, or is on its way to. */
  public static Set<String> classesOf(Claim claim) {
    Set<String> names = new LinkedHashSet<>();
    names.add(claim.attributesClass());
    names.add(claim.status().attributesClass());
    names.add(claim.status().modification().target());
    names.remove("");
    return names;
  }

  private static FinalizerDecision decide(Meta meta, String finalizer) {
    List<String> wanted = new ArrayList<>(meta.finalizers());
    if (isReleasable(meta, finalizer)) {
      wanted.remove(finalizer);
      return new FinalizerDecision.Release(List.copyOf(wanted));
    }
    if (concerns(meta, finalizer)) {
      wanted.add(finalizer);
      return new FinalizerDecision.Protect(List.copyOf(wanted));
    }
    return new FinalizerDecision.Leave();
  }
}
