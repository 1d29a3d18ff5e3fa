package dev.mooring.protection.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.protection.decide.FinalizerDecision.Use;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Decides about protection finalizers: a rule for each kind that is protected. */
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
   * Of claims. That the server gave no list is no reason to let one go.
   *
   * @param pods by the claim that they name, as the cache has them
   * @param compat in Kubernetes' a pod that has run to its end holds its claims until it is deleted
   * @param most how many pods that hold a claim are looked for: thousands may, and one will do
   */
  public static FinalizerRule<Claim> claims(
      Function<ObjectKey, Iterable<Pod>> pods, Compat compat, int most) {
    return claim -> {
      if (!isReleasable(claim.meta(), CLAIM_FINALIZER)) {
        return whateverIsSaid(decide(claim.meta(), CLAIM_FINALIZER));
      }
      Function<Iterable<Pod>, List<Use>> usedBy = some -> uses(some, claim, compat, most);
      List<Use> uses = usedBy.apply(pods.apply(claim.key()));
      return uses.isEmpty()
          ? live -> unusedByCache(claim, live, usedBy)
          : whateverIsSaid(new FinalizerDecision.Hold(uses));
    };
  }

  /** The pods by which it is decided whether the claim goes. */
  public static Question.All<Pod> podsOf(Claim claim) {
    return new Question.All<>(Kind.POD, claim.key().namespace());
  }

  /** Nothing that the server says matters. */
  private static Function<LiveFacts, FinalizerDecision> whateverIsSaid(FinalizerDecision decision) {
    return _ -> decision;
  }

  /** Of a claim that no cached pod uses. */
  private static FinalizerDecision unusedByCache(
      Claim claim, LiveFacts live, Function<Iterable<Pod>, List<Use>> usedBy) {
    Question.All<Pod> now = podsOf(claim);
    return switch (live.of(now)) {
      case Fact.NotAsked<List<Pod>> _ -> new FinalizerDecision.Ask(List.of(now));
      case Fact.Present<List<Pod>>(List<Pod> pods) -> {
        List<Use> confirmed = usedBy.apply(pods);
        yield confirmed.isEmpty()
            ? decide(claim.meta(), CLAIM_FINALIZER)
            : new FinalizerDecision.Hold(confirmed);
      }
      case Fact.Absent<List<Pod>> _ ->
          new FinalizerDecision.Unknown(now, "pods use", "the server has no pods to list");
      case Fact.Unknown<List<Pod>>(String why) ->
          new FinalizerDecision.Unknown(now, "pods use", why);
    };
  }

  private static List<Use> uses(Iterable<Pod> pods, Claim claim, Compat compat, int most) {
    List<Use> uses = new ArrayList<>();
    for (Pod pod : pods) {
      if (holds(pod, claim, compat)) {
        String deleted = pod.meta().isBeingDeleted() ? ", being deleted itself" : "";
        uses.add(
            new Use(Use.What.POD, pod.key().toString(), "on node " + pod.nodeName() + deleted));
        if (uses.size() == most) {
          break;
        }
      }
    }
    uses.sort(Comparator.comparing(Use::name));
    return uses;
  }

  /**
   * Whether the pod holds the claim. Only a scheduled one does: no kubelet starts a pod whose claim
   * is being deleted. A claim of a generic ephemeral volume is held by its owner alone, and not
   * beyond the owner's shut-down, or the two would wait for each other.
   */
  private static boolean holds(Pod pod, Claim claim, Compat compat) {
    if (pod.nodeName().isEmpty()
        || !pod.key().namespace().equals(claim.key().namespace())
        || !pod.claims().contains(claim.meta().name())
        || (!compat.isKubernetes() && pod.isFinished())) {
      return false;
    }
    return PodClaims.byName(pod, claim)
        || (!pod.shutDown() && claim.meta().controller().equals(pod.meta().uid()));
  }

  /**
   * Of volumes. Nothing is asked: the phase is the volume's own, and the write carries the version
   * that was judged, so that a volume that is bound meanwhile refuses it.
   */
  public static FinalizerRule<Volume> volumes() {
    return volume -> whateverIsSaid(volume(volume));
  }

  private static FinalizerDecision volume(Volume volume) {
    if (!isReleasable(volume.meta(), VOLUME_FINALIZER) || volume.phase() != VolumePhase.BOUND) {
      return decide(volume.meta(), VOLUME_FINALIZER);
    }
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? held(Use.What.PHASE, volume.phase().toString(), "it names no claim")
        : held(Use.What.CLAIM, ref.claim().toString(), "it is bound to it");
  }

  /**
   * Of VolumeAttributesClasses. Nothing is asked, as in Kubernetes: a class that is let go a moment
   * too early costs a retry of a provisioning, no data.
   *
   * @param claims all claims
   * @param volumes all volumes
   */
  public static FinalizerRule<AttributesClass> attributesClasses(
      Iterable<Claim> claims, Iterable<Volume> volumes) {
    return attributes -> whateverIsSaid(attributesClass(attributes, claims, volumes));
  }

  private static FinalizerDecision attributesClass(
      AttributesClass attributes, Iterable<Claim> claims, Iterable<Volume> volumes) {
    if (isReleasable(attributes.meta(), CLASS_FINALIZER)) {
      String name = attributes.meta().name();
      for (Volume volume : volumes) {
        if (volume.attributesClass().equals(name)) {
          return held(Use.What.VOLUME, volume.meta().name(), "it is of the class");
        }
      }
      for (Claim claim : claims) {
        if (classesOf(claim).contains(name)) {
          return held(Use.What.CLAIM, claim.key().toString(), "it has the class, or asks for it");
        }
      }
    }
    return decide(attributes.meta(), CLASS_FINALIZER);
  }

  private static FinalizerDecision held(Use.What what, String name, String how) {
    return new FinalizerDecision.Hold(List.of(new Use(what, name, how)));
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
