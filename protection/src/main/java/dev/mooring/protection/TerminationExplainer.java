package dev.mooring.protection;

import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Finalizers;
import dev.mooring.explain.Holder;
import dev.mooring.explain.Next;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Timing;
import dev.mooring.explain.Unseen;
import dev.mooring.informer.Indexes;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.decide.Termination;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Explains claims and volumes that are being deleted: who uses them, and whose finalizers are left.
 *
 * @param <T> what is explained
 */
public final class TerminationExplainer<T extends Resource> implements Explainer {
  private final Sight sight;
  private final Kind<T> kind;
  private final String protection;
  private final Map<Kind<?>, String> others;
  private final Function<T, List<Holder>> users;
  private final Termination held;

  private TerminationExplainer(
      Sight sight,
      Kind<T> kind,
      Map<Kind<?>, String> others,
      Function<T, List<Holder>> users,
      Termination held) {
    this.sight = sight;
    this.kind = kind;
    this.protection =
        kind.equals(Kind.CLAIM)
            ? FinalizerDecider.CLAIM_FINALIZER
            : FinalizerDecider.VOLUME_FINALIZER;
    this.others = others;
    this.users = users;
    this.held = held;
  }

  /**
   * Of claims.
   *
   * @param sight its pods have {@link Indexes#PODS_BY_CLAIM}
   * @param compat in Kubernetes a pod that has run to its end holds its claims
   */
  public static TerminationExplainer<Claim> ofClaims(Sight sight, Compat compat) {
    return new TerminationExplainer<>(
        sight,
        Kind.CLAIM,
        Map.of(Kind.POD, "whether pods use the claim"),
        claim ->
            pods(sight.informer(Kind.POD).by(Indexes.PODS_BY_CLAIM, claim.key()), claim, compat),
        Termination.HELD_BY_PODS);
  }

  /** Of volumes. */
  public static TerminationExplainer<Volume> ofVolumes(Sight sight) {
    return new TerminationExplainer<>(
        sight, Kind.VOLUME, Map.of(), TerminationExplainer::claims, Termination.HELD_BY_CLAIM);
  }

  /** Every pod that by itself would hold the claim. */
  private static List<Holder> pods(Iterable<Pod> pods, Claim claim, Compat compat) {
    List<Holder> holders = new ArrayList<>();
    for (Pod pod : pods) {
      if (FinalizerDecider.claim(claim, List.of(pod), compat) instanceof FinalizerDecision.Hold) {
        holders.add(
            new Holder(
                "pod",
                pod.key().toString(),
                "on node "
                    + pod.nodeName()
                    + (pod.meta().isBeingDeleted() ? ", being deleted itself" : "")));
      }
    }
    holders.sort(Comparator.comparing(Holder::name));
    return holders;
  }

  private static List<Holder> claims(Volume volume) {
    return FinalizerDecider.volume(volume) instanceof FinalizerDecision.Hold
            && volume.claimRef() != null
        ? List.of(new Holder("claim", volume.claimRef().claim().toString(), "it is bound to it"))
        : List.of();
  }

  @Override
  public Kind<?> kind() {
    return kind;
  }

  @Override
  public List<Cause> catalogue() {
    return Arrays.stream(Termination.values()).map(TerminationExplainer::cause).toList();
  }

  private static Cause cause(Termination why) {
    return Cause.of(why, why == Termination.LETTING_GO ? Rank.WORKING : Rank.WAITING);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    return sight
        .informer(kind)
        .get(key)
        .filter(object -> object.meta().isBeingDeleted())
        .map(object -> List.of(explained(object)))
        .orElse(List.of());
  }

  private Explanation explained(T object) {
    Meta meta = object.meta();
    List<Unseen> open = meta.finalizers().contains(protection) ? sight.leftOpen(others) : List.of();
    List<Holder> holders = new ArrayList<>(users.apply(object));
    boolean used = !holders.isEmpty();
    List<String> left = meta.finalizersWithout(protection);
    meta.finalizers()
        .forEach(f -> holders.add(new Holder("finalizer", f, Finalizers.owner(f).note())));
    Termination why =
        used ? held : left.isEmpty() ? Termination.LETTING_GO : Termination.HELD_BY_FINALIZERS;
    boolean guess = !open.isEmpty() && why == Termination.LETTING_GO;
    return new Explanation(
        new Subject(kind, meta.key()),
        "Terminating",
        meta.deleted(),
        guess ? cause(why).in(Rank.UNKNOWN) : cause(why),
        note(why, holders, left, guess),
        guess ? Next.person("ask again, with the right to list pods") : next(why, left, holders),
        Evidence.heldBy(holders),
        open);
  }

  private static String note(
      Termination why, List<Holder> holders, List<String> left, boolean guess) {
    List<String> users =
        holders.stream().filter(h -> !h.what().equals("finalizer")).map(Holder::name).toList();
    return switch (why) {
      case HELD_BY_PODS -> "used by " + Evidence.few(users);
      case HELD_BY_CLAIM -> "bound to " + Evidence.few(users);
      case HELD_BY_FINALIZERS -> "kept by " + Evidence.few(left);
      case LETTING_GO ->
          guess ? "it cannot be told whether pods use it" : "nothing but its protection is left";
    };
  }

  private static Next next(Termination why, List<String> finalizers, List<Holder> holders) {
    return switch (why) {
      case HELD_BY_PODS -> Next.person("delete " + pods(holders) + ", or wait for the end");
      case HELD_BY_CLAIM -> Next.person("delete the claim, if its data may go");
      case HELD_BY_FINALIZERS -> {
        Finalizers.Owner owner = Finalizers.owner(finalizers.getFirst());
        yield owner.by() == Actor.PERSON
            ? Next.person(
                "have finalizer " + finalizers.getFirst() + " taken away by who put it there")
            : new Next(
                owner.by(),
                Action.RELEASE,
                finalizers.getFirst(),
                "takes finalizer " + finalizers.getFirst() + " away, when its work is done",
                owner.by() == Actor.CONTROLLER ? Timing.LATER : Timing.OPEN);
      }
      case LETTING_GO ->
          new Next(
              Actor.CONTROLLER, Action.RELEASE, "", "takes the protection away; then it is gone");
    };
  }

  private static String pods(List<Holder> holders) {
    long pods = holders.stream().filter(h -> h.what().equals("pod")).count();
    return pods == 1 ? "the pod" : "the " + pods + " pods";
  }
}
